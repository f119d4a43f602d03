"""Writes vectors for the runtime's numpy: statements with an expression at their end, and what numpy makes of it.

    python3.11 crates/plan/tests/numpy_vectors.py > crates/plan/tests/fixtures/numpy_vectors.txt

A line is the program, a tab, and the `repr` of the value or `!Kind: message`. Written with numpy 2.4.6; `numpy_shim.py` compares the
runtime's numpy with the file under CPython.
"""

import itertools
import warnings

import numpy as np

warnings.simplefilter("ignore")

ARRAYS = [
    "np.array([3, 1, 2])", "np.array([1.5, -2.0, 0.25])", "np.array([[1, 2, 3], [4, 5, 6]])", "np.array([True, False, True])", "np.arange(6)",
    "np.array([[0.5, 1], [2, 3]])", "np.array([], dtype=int)", "np.array(5)", "np.array([7, 7, 1, 3, 3, 3, 9, 0, -2, 5])", "np.array(['b', 'a', 'c'])",
    "np.arange(24).reshape(2, 3, 4)", "np.array([10**18, 10**18, 10**18])", "np.array([np.nan, 1.0, np.inf])", "np.int64(7)", "np.float64(2.5)", "[4, 2, 8]", "5", "2.5",
    "np.array([1, 2, 3], dtype=np.int32)", "np.array([200, 100], dtype=np.uint8)",
]
UNARY = """sum prod max min mean std var median argmax argmin cumsum cumprod sort argsort unique abs absolute sqrt floor ceil round sign any all
count_nonzero nonzero ravel diff flip transpose square negative logical_not isnan array asarray copy zeros_like ones_like size shape ndim
ptp rint trunc amax amin average tril triu diag flatnonzero argwhere squeeze atleast_2d cbrt fliplr isfinite bitwise_not""".split()
METHODS = "sum() prod() max() min() mean() std() argmax() argmin() cumsum() tolist() copy() ravel() flatten() any() all() T shape size ndim dtype nonzero() round() astype(float) astype(int) astype(str) astype(bool) item() itemsize".split()
BINARY = "add subtract multiply divide floor_divide mod power maximum minimum equal less greater_equal logical_and logical_or bitwise_xor gcd lcm dot matmul isin concatenate append array_equal where hstack vstack outer".split()
OPERATORS = "+ - * / // % ** & | ^ < <= == != > >= @".split()
OTHER = ["2", "0", "-3", "1.5", "True", "np.array([2, 0, 5])", "np.array([[1], [2]])", "np.float64(0.5)", "np.int64(3)", "[1, 2, 3]", "'a'", "None", "np.array([1.0, 0.0, 2.0])", "np.array([1, 2])"]
RUNS = """np.zeros(3)|np.zeros((2, 3))|np.zeros(3, dtype=int)|np.zeros((2, 2), int)|np.ones(4)|np.ones((2, 2), dtype=np.int64)|np.full(3, 7)|np.full((2, 2), 1.5)|np.full(3, np.inf)|np.empty(0)
np.arange(5)|np.arange(2, 8)|np.arange(1, 10, 3)|np.arange(10, 0, -3)|np.arange(0, 1, 0.25)|np.arange(5.0)|np.arange(0)|np.linspace(0, 1, 5)|np.linspace(0, 10, 4)|np.linspace(1, 2, 3, endpoint=False)
np.eye(3)|np.eye(2, 3)|np.eye(3, k=1)|np.identity(2)|np.identity(2, dtype=int)|np.diag([1, 2])|np.diag(np.arange(9).reshape(3, 3))|np.tri(3)|np.trace(np.eye(3))
np.array([1, 2.5])|np.array([1, True])|np.array(['a', 'bc'])|np.array([[1, 2], [3]])|np.array([1, [2, 3]])|np.array([None, 1])|np.array('abc')|np.array([1, 2], dtype=float)|np.array(['1', '2'], dtype=int)|np.array(['1', '2.5'], dtype=float)
np.array([1.7, -1.7]).astype(int)|np.array('1 2 3'.split(), dtype=int)|np.array(list('123')).astype(int)|np.array([[1, 2], [3, 4]], dtype='int64')|np.array((1, 2))|np.array(range(4))|np.array([np.int64(1), np.int64(2)])|np.array([np.arange(2), np.arange(2)])|np.array([], dtype=float)|np.array([[]])
np.array(1, 2)|np.array(1, 2, 3)|np.array()|np.zeros(2, 2)|np.zeros(8, 3)|np.zeros(2.0)|np.zeros('a')|np.zeros(-1)|np.zeros([2, 2])|np.cumsum([1, 2], dtype='list')|np.sort()|np.sum()|np.ones('ab')|np.arange()|np.zeros((2, 2.5))
a = np.arange(10); a[3]|a = np.arange(10); a[-1]|a = np.arange(10); a[10]|a = np.arange(10); a[2:5]|a = np.arange(10); a[::2]|a = np.arange(10); a[::-1]|a = np.arange(10); a[7:2:-2]|a = np.arange(10); a[a > 5]|a = np.arange(10); a[[1, 3, 5]]|a = np.arange(10); a[np.array([1, -1])]
a = np.arange(10); a['x']|a = np.arange(10); a[1.5]|a = np.arange(10); a[1, 2]|a = np.arange(10); a[[1, 20]]|a = np.arange(10); a[None]|a = np.arange(10); a[np.newaxis, :].shape|a = np.arange(10); a[...]|a = np.arange(10); a[:, None].shape|a = np.arange(10); a[[True, False]]|a = np.arange(3); a[[True, False, True]]
a = np.arange(12).reshape(3, 4); a[1]|a = np.arange(12).reshape(3, 4); a[1, 2]|a = np.arange(12).reshape(3, 4); a[:, 1]|a = np.arange(12).reshape(3, 4); a[1:, ::2]|a = np.arange(12).reshape(3, 4); a[[0, 2]]|a = np.arange(12).reshape(3, 4); a[[0, 2], [1, 3]]|a = np.arange(12).reshape(3, 4); a[:, [0, 2]]|a = np.arange(12).reshape(3, 4); a[a % 2 == 0]|a = np.arange(12).reshape(3, 4); a[1, 9]|a = np.arange(12).reshape(3, 4); a[3]|a = np.arange(12).reshape(3, 4); a[..., 0]|a = np.arange(12).reshape(3, 4); a[np.array([True, False, True])]|a = np.arange(12).reshape(3, 4); a[-1, -1]|a = np.arange(12).reshape(3, 4); a.T|a = np.arange(12).reshape(3, 4); a.T[0]
a = np.arange(5); a[2] = 9; a|a = np.arange(5); a[1:3] = 7; a|a = np.arange(5); a[1:3] = [8, 9]; a|a = np.arange(5); a[1:3] = [1, 2, 3]; a|a = np.arange(5); a[a > 2] = 0; a|a = np.arange(5); a[[0, 4]] = -1; a|a = np.arange(5); a[0] = 2.7; a|a = np.arange(5); a[0] = 'x'; a|a = np.arange(5); a[0] = [1, 2]; a|a = np.arange(5); a[:] = 3; a|a = np.arange(5); a[7] = 1; a|a = np.arange(5); a[0] = None; a|a = np.zeros(3); a[1] = 5; a|a = np.zeros(2); a[0] = '3.5'; a
a = np.arange(6).reshape(2, 3); a[0] = 1; a|a = np.arange(6).reshape(2, 3); a[:, 0] = [7, 8]; a|a = np.arange(6).reshape(2, 3); a[1, 1] = 99; a|a = np.arange(6).reshape(2, 3); a[a > 3] = -1; a|a = np.arange(6).reshape(2, 3); a[0][0] = 5; a|a = np.arange(6).reshape(2, 3); a[:, 1] += 10; a|a = np.arange(6).reshape(2, 3); a[0], a[1] = a[1].copy(), a[0].copy(); a
a = np.arange(6); b = a[1:4]; b[0] = 100; a|a = np.arange(6); b = a.reshape(2, 3); b[0, 0] = 9; a|a = np.arange(6); b = a.T; b[0] = 4; a|a = np.arange(6); b = a[::2]; b += 1; a|a = np.arange(6); b = a.copy(); b[0] = 5; a|a = np.arange(6); b = a[[0, 1]]; b[0] = 5; a|a = np.arange(3); a += 1; a|a = np.arange(3); a *= 2; a|a = np.arange(3); a += 0.5; a|a = np.arange(3); a /= 2; a|a = np.arange(3.0); a /= 2; a|a = np.arange(3); b = a; b += 1; a|a = np.arange(3); a -= np.array([1, 1, 1]); a
np.arange(6).reshape(2, 3).sum(axis=0)|np.arange(6).reshape(2, 3).sum(axis=1)|np.arange(6).reshape(2, 3).sum(axis=(0, 1))|np.arange(6).reshape(2, 3).max(axis=0)|np.arange(6).reshape(2, 3).mean(axis=1)|np.arange(6).reshape(2, 3).argmax(axis=1)|np.arange(6).reshape(2, 3).cumsum(axis=0)|np.arange(6).reshape(2, 3).cumsum(axis=1)|np.arange(6).reshape(2, 3).sum(axis=2)|np.arange(6).reshape(2, 3).sum(axis=1, keepdims=True)|np.sort([[3, 1], [2, 4]], axis=0)|np.sort([[3, 1], [2, 4]])|np.sort([[3, 1], [2, 4]], axis=None)|np.argsort([3, 1, 2])[::-1]|np.median([[1, 2], [3, 4]], axis=0)|np.any([[True, False], [False, False]], axis=0)
np.arange(6).reshape(4)|np.arange(6).reshape(2, -1)|np.arange(6).reshape(-1)|np.arange(6).reshape((3, 2))|np.arange(6).reshape(-1, 4)|np.reshape([1, 2, 3, 4], (2, 2))|np.arange(6).reshape(2, 3).T.reshape(6)|np.arange(6).reshape(2, 3).ravel()|np.arange(6).reshape(2, 3).flatten()|np.transpose([[1, 2], [3, 4]])|np.swapaxes(np.arange(6).reshape(2, 3), 0, 1)|np.expand_dims([1, 2], 0)|np.squeeze([[[1], [2]]])
np.concatenate([[1, 2], [3]])|np.concatenate([[[1, 2]], [[3, 4]]], axis=1)|np.concatenate([[1, 2], [[3]]])|np.concatenate([[[1, 2]], [[3]]])|np.hstack([[1, 2], [3]])|np.hstack([[[1], [2]], [[3], [4]]])|np.vstack([[1, 2], [3, 4]])|np.vstack([[1, 2], [3]])|np.stack([[1, 2], [3, 4]])|np.stack([[1, 2], [3, 4]], axis=1)|np.append([1, 2], 3)|np.append([1, 2], [3, 4])|np.append([[1, 2]], [[3, 4]], axis=0)|np.append([], 1)|np.column_stack([[1, 2], [3, 4]])|np.r_[1:4, 9]|np.c_[[1, 2], [3, 4]]|np.concatenate(1)
np.tile([1, 2], 2)|np.tile([1, 2], (2, 2))|np.repeat([1, 2], 2)|np.repeat([[1, 2], [3, 4]], 2, axis=0)|np.repeat([1, 2, 3], [1, 0, 2])|np.flip([1, 2, 3])|np.flip([[1, 2], [3, 4]])|np.flip([[1, 2], [3, 4]], axis=1)|np.delete([1, 2, 3], 1)|np.delete([1, 2, 3], [0, 2])|np.delete([1, 2, 3], 5)|np.delete([[1, 2], [3, 4]], 0, axis=0)|np.insert([1, 2, 3], 1, 9)|np.roll([1, 2, 3, 4], 1)|np.roll([1, 2, 3, 4], -1)|np.triu([[1, 2], [3, 4]])|np.tril([[1, 2], [3, 4]])|np.rot90([[1, 2], [3, 4]])|np.pad([1, 2], 1)|np.split(np.arange(6), 3)|np.array_split(np.arange(5), 2)
np.where([True, False], 1, 2)|np.where(np.array([1, 0, 2]))|np.where(np.array([1, 5, 2]) > 1, 10, 0.5)|np.where(np.array([3, 1]) > 2, np.array([1, 2]), np.array([8, 9]))|np.nonzero([[1, 0], [0, 2]])|np.clip([1, 5, 9], 2, 6)|np.clip(7, 0, 5)|np.isin([1, 2, 3], [2, 3])|np.bincount([1, 1, 3])|np.bincount([0, 1], minlength=5)|np.bincount([1, -1])|np.searchsorted([1, 3, 5], 3)|np.searchsorted([1, 3, 5], [0, 3, 6], side='right')|np.unique([3, 1, 3, 2], return_counts=True)|np.unique([3, 1, 3], return_index=True, return_inverse=True)|np.unique(['b', 'a', 'b'])|np.digitize([1, 4], [2, 3])|np.union1d([1, 2], [2, 3])|np.intersect1d([1, 2], [2, 3])|np.setdiff1d([1, 2], [2, 3])
np.dot([1, 2, 3], [4, 5, 6])|np.dot([[1, 2], [3, 4]], [[5, 6], [7, 8]])|np.dot([1, 2], [1, 2, 3])|np.array([[1, 2], [3, 4]]) @ np.array([1, 1])|np.matmul([[1, 2]], [[1, 2]])|np.linalg.norm([3, 4])|np.linalg.norm(np.array([[1, 2], [3, 4]]))|np.linalg.solve([[2, 1], [1, 3]], [3, 5])|np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 10)|np.linalg.det([[1, 2], [3, 4]])|np.linalg.inv([[2, 0], [0, 4]])|np.linalg.solve([[1, 2], [2, 4]], [1, 2])|np.outer([1, 2], [3, 4])|np.inner([1, 2], [3, 4])|np.cross([1, 0, 0], [0, 1, 0])|np.vdot([1, 2], [3, 4])
np.gcd.reduce([12, 18, 24])|np.lcm.reduce([2, 3, 4])|np.add.reduce([1, 2, 3])|np.multiply.reduce([1, 2, 3])|np.maximum.reduce([1, 5, 3])|np.bitwise_xor.reduce([1, 2, 3])|np.maximum.accumulate([1, 3, 2])|np.add.accumulate([1, 2, 3])|np.multiply.outer([1, 2], [3, 4])|np.logical_or.reduce([True, False])|np.gcd(12, 18)|np.lcm(4, 6)|np.gcd(2.5, 1)|np.logical_or([1, 0], [0, 0])|np.logical_and(True, False)|np.subtract.outer([1, 2], [1, 2])|np.bitwise_and.reduce([7, 3])
x = np.int64(3); x|x = np.int64(3); x + 1|x = np.int64(3); x / 2|x = np.int64(3); x // 2|x = np.int64(3); 2 ** x|x = np.int64(3); x + 0.5|x = np.int64(3); x == 3|x = np.int64(3); [1, 2, 3, 4][x]|x = np.int64(3); {3: 'a'}[x]|x = np.int64(3); list(range(x))|x = np.int64(3); str(x)|x = np.int64(3); f'{x:03d}'|x = np.int64(3); '%d %s' % (x, x)|x = np.int64(3); int(x)|x = np.int64(3); x < 5|x = np.int64(3); -x|x = np.int64(3); abs(np.int64(-3))|x = np.int64(3); x * [1]|x = np.int64(3); x + 'a'|x = np.int64(3); 'a' + x|x = np.int64(3); x[0]|x = np.int64(3); len(x)|x = np.int64(3); x in [1, 3]|x = np.int64(3); x and 5|x = np.int64(3); x.item()|x = np.int64(3); x.dtype|x = np.int64(3); isinstance(x, int)|x = np.int64(3); max(x, 2)|x = np.int64(3); sum([x, x])|x = np.int64(3); divmod(x, 2)|x = np.int64(3); x % 2|x = np.int64(3); x << 2|x = np.int64(3); x & 1|x = np.int64(3); None == x|x = np.int64(3); x - None|x = np.int64(3); for_ = [i for i in x]; for_|x = np.int64(3); x()|x = np.int64(3); ' '.join([x])|x = np.int64(3); '%.2f' % x|x = np.int64(3); f'{x}'|x = np.int64(3); x.append(1)|x = np.int64(3); bool(x)|x = np.int64(3); 1 if x else 2|x = np.int64(3); x ** -1|x = np.int64(3); x / 0|x = np.int64(3); x // 0
y = np.float64(2.5); y|y = np.float64(2.5); y + 1|y = np.float64(2.5); int(y)|y = np.float64(2.5); range(y)|y = np.float64(2.5); [1, 2, 3][y]|y = np.float64(2.5); str(y)|y = np.float64(2.5); f'{y:.3f}'|y = np.float64(2.5); isinstance(y, float)|y = np.float64(2.5); y * [1]|y = np.float64(2.5); [1] * y|y = np.float64(2.5); 'a' * y|y = np.float64(2.5); y // 1|y = np.float64(2.5); y % 1|y = np.float64(2.5); y < 3|y = np.float64(2.5); -y|y = np.float64(2.5); y / 0|y = np.float64(2.5); y ** 2|y = np.float64(2.5); 1 / y|y = np.float64(2.5); y.astype(int)|y = np.float64(2.5); '%d' % y|y = np.float64(2.5); chr(y)|y = np.float64(2.5); y & 1
b = np.True_; b|b = np.True_; not b|b = np.True_; b & False|b = np.True_; b + 1|b = np.True_; b == True|b = np.True_; [i for i in b]|b = np.True_; ~b|b = np.True_; b is True|b = np.True_; int(b)|b = np.True_; b + b|b = np.True_; b * 2.5|b = np.bool_(0); b|str(np.True_)|b = np.True_; range(b)|b = np.True_; b[0]
str(np.arange(5))|str(np.array([1.0, 2.5]))|str(np.arange(6).reshape(2, 3))|str(np.arange(8).reshape(2, 2, 2))|str(np.array([True, False]))|str(np.array(['a', 'b']))|str(np.arange(100))|str(np.arange(0, 5, 0.3))|str(np.array([0.1, 100.25, -3]))|str(np.array([1e10, 1]))|str(np.array([1e-5, 1]))|str(np.array([1/3, 2/3]))|str(np.array([1.0, np.nan]))|str(np.array([np.inf, -np.inf, 1.5]))|str(np.zeros((2, 2)))|str(np.array([], dtype=int))|str(np.array(5))|str(np.array(2.0))|str(np.array([[]]))|str(np.array([-1, 10]))|str(np.array([1e16, 1.0]))|str(np.array([123456.789, 0.001]))|str(np.array([None, 1]))|str(np.arange(30).reshape(2, 15) * 1000)|str(np.array([0.0, -0.0]))|str(np.array([1e100, 1e-100]))|str(np.linspace(0, 1, 20))
repr(np.arange(100))|repr(np.arange(30.0).reshape(2, 15))|repr(np.array([1, 2], dtype=np.int32))|repr(np.zeros(0))|repr(np.array('a'))|repr(np.array(True))|repr(np.arange(8).reshape(2, 2, 2))|repr(np.array(['a', 'bcd']))|repr(np.zeros((0, 3)))|repr(np.array([1.0, 1e10]))|f'{np.arange(3)}'|'%s' % np.arange(3)|np.arange(3).dtype|np.dtype('float64')|np.array(['ab']).dtype|str(np.arange(3).dtype)|np.arange(3).dtype == int|np.arange(3).dtype == 'int64'|np.arange(3).dtype == np.float64|[np.arange(2), 1]|(np.int64(1), np.float64(2.0))|{'a': np.arange(2)}|list(np.arange(3))|[x for x in np.array([1.5, 2.5])]|list(np.arange(4).reshape(2, 2))|np.arange(3).tolist()|np.array([1.0, 2.0]).tolist()|np.array(5).tolist()|tuple(np.arange(2))|set(np.array([1, 1]))|dict(zip(np.arange(2), 'ab'))|sorted(np.array([3, 1, 2]))|max(np.array([3, 1, 2]))|min(np.array([3.5, 1]))|sum(np.array([1, 2, 3]))|sum(np.arange(4).reshape(2, 2))|len(np.arange(4).reshape(2, 2))|any(np.array([0, 1]))|all(np.array([0, 1]))|len(np.array(5))|list(np.array(5))|3 in np.arange(5)|9 in np.arange(5)|abs(np.array([-1, 2]))|round(np.float64(2.567), 2)|round(np.float64(2.567))|list(map(int, np.array([1.5, 2.5])))|list(enumerate(np.arange(2)))|list(reversed(np.arange(3)))|' '.join(map(str, np.arange(3)))|' '.join(np.array(['a', 'b']))|list(zip(np.arange(2), [5, 6]))
if_ = 1 if np.arange(3) else 2; if_|if_ = 1 if np.array([1]) else 2; if_|np.arange(3) and 1|bool(np.array([]))|[1, 2][np.array([0, 1])]|range(np.array([1, 2]))|range(np.arange(3)[1])|int(np.array([1, 2]))|int(np.array(7))|float(np.array([1.5]))|np.arange(3) + [1, 2]|np.arange(3) + np.arange(4)|np.arange(3) + 'a'|np.arange(3) + None|np.arange(3) * 1.5|[1, 2, 3] + np.arange(3)|np.arange(3).append(1)|np.arange(3).foo|np.foo|np.arange(3)()|hash(np.arange(3))|{np.arange(3): 1}|np.arange(3) == [0, 1, 2]|np.arange(3) == 'a'|np.arange(3) == None|np.max([])|np.min(np.array([]))|np.argmax([])|np.mean([])|np.sum([])|np.prod([])|np.sum(['a'])|np.max(['a'])|np.sum([[1, 2], [3]])|np.sqrt(-1)|np.sqrt('a')|np.sqrt([4, 9])|np.log(0)|np.abs('a')|np.power(2, 3)|np.power(2, -1)|np.power([1, 2], 2)|np.arange(3) ** 2|2 ** np.arange(3)|np.arange(3) / 0|np.arange(3) // 0|np.arange(3) % 0|np.array([1.0, -1.0]) / 0|-np.arange(3)|~np.arange(3)|~np.array([True])|-np.array([True])|np.array([True]) - np.array([True])|np.array([True]) + np.array([True])|np.array([1.5]) & 1|np.round(2.5)|np.round([1.25, 1.35], 1)|np.round(1234.5, -2)|np.floor(2.7)|np.floor([1.5, -1.5])|np.ceil(2)|np.sign([-2, 0, 3])|np.sign(-2.5)|np.prod([10**9, 10**9, 10**9])|np.array([2**62, 2**62]).sum()|np.int64(2**62) * 4|np.array([2**70])|np.array([2**63])|np.int32(5) + 1|np.uint8(200) + np.uint8(100)|np.mean([1, 2, 3, 4])|np.std([1, 2, 3, 4])|np.var([1, 2, 3, 4], ddof=1)|np.average([1, 2, 3], weights=[3, 2, 1])|np.median([3, 1, 2])|np.median([4, 1, 2, 3])|np.percentile([1, 2, 3, 4], 50)|np.sum([0.1] * 20)|np.mean([0.1] * 9)|np.sum([True, True])|np.cumsum([0.1, 0.2, 0.3])|np.diff([1, 4, 9])|np.diff([[1, 4], [9, 2]])|np.diff([1, 4, 9], n=2)|np.argmax([1, 3, 3])|np.argmin([[4, 2], [1, 3]])|np.count_nonzero([1, 0, 2])|np.count_nonzero([[1, 0], [2, 3]], axis=0)|np.all([])|np.array_equal([1, 2], [1, 2])|np.allclose([1.0], [1.0 + 1e-9])|np.isclose(1.0, 1.1)|np.pi|np.e|np.inf|-np.inf|np.nan|np.newaxis|np.iinfo(np.int64).max|np.iinfo('int32').min|np.finfo(float).eps|np.float64('1.5')|np.int64('7')|np.int64(2.7)|np.float64(3)|np.isscalar(3)|np.vectorize(lambda x: x * 2)([1, 2])|np.apply_along_axis(sum, 0, np.arange(4).reshape(2, 2))|np.fromstring('1 2 3', sep=' ')|np.fromstring('1 2 3', dtype=int, sep=' ')|np.meshgrid([1, 2], [3, 4])[0]|np.ndim(3)|np.shape([[1, 2]])|np.size([1, 2])|np.broadcast_to([1, 2], (2, 2))|np.lexsort(([1, 2, 3], [3, 1, 1]))|np.take([1, 2, 3], [0, 2])|np.arange(5).take([1, 2])|np.select([np.array([True, False])], [np.array([1, 2])], 9)|np.polyval([1, 2], 3)|np.argsort([3, 1, 2])|np.argsort([[3, 1], [2, 4]])|np.fill_diagonal|np.maximum([1, 5], 3)|np.minimum(3, [1, 5])|np.hypot(3, 4)|np.sin(0)|np.exp(0)|np.trunc([-1.5, 1.5])|np.fmax(1, np.nan)|np.nanmax([1, np.nan])|np.nansum([1, np.nan])|np.nanmin([1, np.nan])|np.nanmean([1, np.nan])|np.maximum(1)|np.add(1)|np.sum(1, 2, 3, 4, 5, 6, 7, 8)""".replace("\n", "|").split("|")


# What the runtime does not reproduce, by decision: products of infinite numbers go through BLAS, the order of equal items in
# argsort depends on the processor, and the names of ufuncs in messages about reflected comparisons with text.
BEYOND = {
    "np.array()",
    "np.dot(np.array([np.nan, 1.0, np.inf]), 0)",
    "np.argsort(np.array([7, 7, 1, 3, 3, 3, 9, 0, -2, 5]))",
    "np.float64(0.5) < np.array(['b', 'a', 'c'])",
    "np.int64(3) <= np.array(['b', 'a', 'c'])",
    "np.argwhere(np.array(5))",
    "np.argwhere(np.int64(7))",
    "np.argwhere(np.float64(2.5))",
    "np.argwhere(5)",
    "np.argwhere(2.5)",
}


def main():
    lines = dict.fromkeys(line for line in RUNS if "for_" not in line and "if_" not in line)
    for f, a in itertools.product(UNARY, ARRAYS):
        lines[f"np.{f}({a})"] = None
    for a, m in itertools.product(ARRAYS, METHODS):
        lines[f"{a}.{m}" if not a[0].isdigit() else f"np.array({a}).{m}"] = None
    for (i, a), (j, b), op in itertools.product(enumerate(ARRAYS), enumerate(OTHER), OPERATORS):
        if (i * 7 + j * 5 + OPERATORS.index(op) * 3) % 8 == 0:
            lines[f"{a} {op} {b}"] = None
            lines[f"{b} {op} {a}"] = None
    for (i, a), (j, b), f in itertools.product(enumerate(ARRAYS), enumerate(OTHER), BINARY):
        if (i * 7 + j * 5 + BINARY.index(f) * 3) % 10 == 0:
            lines[f"np.{f}({a}, {b})" if f not in ("concatenate", "hstack", "vstack") else f"np.{f}(({a}, {b}))"] = None
    for line in lines:
        before, _, last = line.rpartition("; ")
        space = {"np": np}
        try:
            exec(before, space)
            value = repr(eval(last, space))
        except Exception as error:
            value = f"!{type(error).__name__}: {error}"
        if line in BEYOND or "0x" in value or "\t" in value or len(value) > 3000 or "complex" in value:
            continue
        print(line, value.replace("\n", "\\n"), sep="\t")


main()
