import contextlib
import io

buffer = io.StringIO()
with contextlib.redirect_stdout(buffer):
    print("inside")
text = buffer.getvalue()
print("outside", text, end="")
