"""What does an operator see and steer in a browser, and who may look?

Each view shows the JSON of commands, and each button is a command: no rule about memory is here.

Public: asked_commands, page_app, page_views, sign_in.
"""
