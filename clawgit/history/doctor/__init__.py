"""What is wrong with this workspace, and can it be repaired?"""
