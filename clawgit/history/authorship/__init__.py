"""Who makes a change, under which op, and with which words?"""
