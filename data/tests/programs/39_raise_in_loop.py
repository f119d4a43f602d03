data = {"a": 1}
for key in ["a", "b"]:
    print(data[key])
