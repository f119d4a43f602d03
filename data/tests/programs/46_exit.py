import sys

print("before")
try:
    sys.exit(2)
finally:
    print("leaving")
print("never")
