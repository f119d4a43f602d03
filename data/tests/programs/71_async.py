import asyncio


async def work(n):
    await asyncio.sleep(0)
    return n * 2


async def numbers():
    for i in range(2):
        yield i


async def main():
    found = [i async for i in numbers()]
    x = await work(3)
    async with Lock() as lock:
        x += lock
    return x, found


class Lock:
    async def __aenter__(self):
        return 1

    async def __aexit__(self, *args):
        return False


print(asyncio.run(main()))
