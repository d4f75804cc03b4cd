"""Where are the records beside the history kept?"""
