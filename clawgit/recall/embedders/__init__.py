"""What turns texts into vectors?"""
