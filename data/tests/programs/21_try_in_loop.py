out = []
for s in ["1", "x", "2", "stop", "3"]:
    try:
        if s == "stop":
            break
        n = int(s)
    except ValueError:
        continue
    finally:
        out.append(s)
    out.append(n)
print(out)
