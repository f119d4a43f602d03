s = "  Hello, World  "
t = s.strip().lower().replace("l", "L")
w = t.split(", ")
j = "-".join(w)
q = 'it\'s "q"'
n = "tab\tnew\nline\\ \x07 é \u200b"
k = j.find("w"), j.count("L"), j.isalpha()
