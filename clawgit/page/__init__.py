"""What does an operator see and steer in a browser, and who may look?

Each view shows what operations answer, and each button is an operation: no rule about memory is here.

Public: page_answers, page_app, page_views, sign_in.
"""
