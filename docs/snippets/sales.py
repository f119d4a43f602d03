for row in db.rows(limit=3):
    if row.kind == "sale":
        total += row.count
with lock:
    answer = client.post(url, json={"total": total}).status
