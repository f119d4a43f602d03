# Short functions on dicts and sets, each with one call. Written for this set; none is in the training data.

#: count_items
def count_items(items):
    counts = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return counts
print(count_items(['b', 'a', 'b', 'c', 'b']))

#: invert
def invert(mapping):
    return {value: key for key, value in mapping.items()}
print(invert({'one': 1, 'two': 2}))

#: lookup
def lookup(prices, name):
    return prices.get(name, 'unknown')
print(lookup({'tea': 3, 'milk': 2}, 'salt'))

#: total_price
def total_price(prices, basket):
    return sum(prices[name] * count for name, count in basket.items())
print(total_price({'pen': 2, 'book': 9}, {'pen': 4, 'book': 1}))

#: group_by_first
def group_by_first(words):
    groups = {}
    for word in words:
        groups.setdefault(word[0], []).append(word)
    return groups
print(group_by_first(['ant', 'bee', 'ape', 'bat']))

#: merge_dicts
def merge_dicts(a, b):
    merged = dict(a)
    merged.update(b)
    return merged
print(merge_dicts({'x': 1, 'y': 2}, {'y': 7, 'z': 3}))

#: keys_of
def keys_of(mapping):
    return sorted(mapping)
print(keys_of({'pear': 1, 'apple': 5, 'fig': 2}))

#: best_key
def best_key(scores):
    return max(scores, key=scores.get)
print(best_key({'ann': 71, 'bob': 88, 'cy': 64}))

#: above
def above(scores, limit):
    return {name: s for name, s in scores.items() if s >= limit}
print(above({'ann': 71, 'bob': 48, 'cy': 90}, 60))

#: by_value
def by_value(mapping):
    return sorted(mapping.items(), key=lambda kv: kv[1], reverse=True)
print(by_value({'a': 2, 'b': 9, 'c': 5}))

#: nested_get
def nested_get(data, path):
    for key in path:
        data = data[key]
    return data
print(nested_get({'a': {'b': [10, 20]}}, ['a', 'b', 1]))

#: add_all
def add_all(mapping, amount):
    for key in mapping:
        mapping[key] += amount
    return mapping
print(add_all({'x': 1, 'y': 5}, 10))

#: remove_keys
def remove_keys(mapping, keys):
    for key in keys:
        mapping.pop(key, None)
    return mapping
print(remove_keys({'a': 1, 'b': 2, 'c': 3}, ['a', 'z']))

#: shared
def shared(a, b):
    return sorted(set(a) & set(b))
print(shared([1, 4, 7, 9], [9, 2, 4]))

#: only_first
def only_first(a, b):
    return sorted(set(a) - set(b))
print(only_first('house', 'mouse'))

#: either
def either(a, b):
    return len(set(a) | set(b))
print(either([1, 2, 3], [3, 4]))

#: symmetric
def symmetric(a, b):
    return sorted(a ^ b)
print(symmetric({1, 2, 3}, {2, 3, 4}))

#: is_subset
def is_subset(a, b):
    return set(a).issubset(b)
print(is_subset([2, 3], [1, 2, 3, 4]))

#: distinct
def distinct(text):
    return len(set(text))
print(distinct('abracadabra'))

#: letters_by_count
def letters_by_count(text):
    counts = {}
    for c in text:
        if c in counts:
            counts[c] += 1
        else:
            counts[c] = 1
    return [c for c in counts if counts[c] > 1]
print(letters_by_count('balloon'))

#: zip_dict
def zip_dict(keys, values):
    return dict(zip(keys, values))
print(zip_dict(['id', 'name'], [7, 'lamp']))

#: from_pairs
def from_pairs(pairs):
    out = {}
    for key, value in pairs:
        out[key] = value
    return out
print(from_pairs([('a', 1), ('b', 2), ('a', 3)]))

#: default_count
from collections import defaultdict
def default_count(words):
    counts = defaultdict(int)
    for word in words:
        counts[len(word)] += 1
    return dict(counts)
print(default_count(['a', 'bb', 'cc', 'ddd']))

#: index_words
from collections import defaultdict
def index_words(lines):
    index = defaultdict(list)
    for number, line in enumerate(lines):
        for word in line.split():
            index[word].append(number)
    return index['the']
print(index_words(['the cat', 'a dog', 'the end']))

#: most_common
from collections import Counter
def most_common(items):
    return Counter(items).most_common(1)[0]
print(most_common([4, 2, 4, 3, 4, 2]))

#: counter_total
from collections import Counter
def counter_total(text):
    counts = Counter(text)
    return counts['e']
print(counter_total('nevertheless'))

#: translate
def translate(text, table):
    return ''.join(table.get(c, c) for c in text)
print(translate('a-b', {'a': '1', 'b': '2'}))

#: roman
def roman(text):
    values = {'I': 1, 'V': 5, 'X': 10}
    total = 0
    for a, b in zip(text, text[1:] + 'I'):
        if values[a] < values[b]:
            total -= values[a]
        else:
            total += values[a]
    return total
print(roman('XIV'))

#: inventory
def inventory(stock, sold):
    for name, count in sold:
        stock[name] -= count
        if stock[name] == 0:
            del stock[name]
    return stock
print(inventory({'cup': 3, 'jar': 1}, [('cup', 2), ('jar', 1)]))

#: has_value
def has_value(mapping, value):
    return value in mapping.values()
print(has_value({'a': 5, 'b': 6}, 6))

#: first_key
def first_key(mapping):
    for key in mapping:
        return key
print(first_key({'q': 1, 'w': 2}))

#: nested_count
def nested_count(data):
    return sum(len(v) for v in data.values())
print(nested_count({'a': [1, 2], 'b': [], 'c': [3]}))

#: dict_diff
def dict_diff(old, new):
    return {k: v for k, v in new.items() if old.get(k) != v}
print(dict_diff({'a': 1, 'b': 2}, {'a': 1, 'b': 3, 'c': 4}))

#: swap_keys
def swap_keys(mapping, a, b):
    mapping[a], mapping[b] = mapping[b], mapping[a]
    return mapping
print(swap_keys({'left': 1, 'right': 2}, 'left', 'right'))

#: matrix_dict
def matrix_dict(cells):
    return max(r for r, c in cells) + 1, max(c for r, c in cells) + 1
print(matrix_dict({(0, 0): 'a', (1, 2): 'b'}))

#: visit
def visit(graph, start):
    seen = set()
    todo = [start]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(graph[node])
    return sorted(seen)
print(visit({'a': ['b'], 'b': ['c'], 'c': [], 'd': []}, 'a'))

#: degrees
def degrees(edges):
    counts = {}
    for a, b in edges:
        counts[a] = counts.get(a, 0) + 1
        counts[b] = counts.get(b, 0) + 1
    return counts
print(degrees([(1, 2), (2, 3)]))

#: memo
def memo(n, known):
    if n < 2:
        return n
    if n not in known:
        known[n] = memo(n - 1, known) + memo(n - 2, known)
    return known[n]
print(memo(10, {}))

#: pop_last
def pop_last(mapping):
    return mapping.popitem()
print(pop_last({'a': 1, 'b': 2}))

#: filter_none
def filter_none(record):
    return {k: v for k, v in record.items() if v is not None}
print(filter_none({'a': None, 'b': 0, 'c': 'x'}))

#: average_by
def average_by(rows):
    sums = {}
    for name, value in rows:
        sums.setdefault(name, []).append(value)
    return {name: sum(v) / len(v) for name, v in sums.items()}
print(average_by([('x', 4), ('y', 3), ('x', 8)]))

#: rank
def rank(scores):
    order = sorted(scores, key=scores.get, reverse=True)
    return {name: i + 1 for i, name in enumerate(order)}
print(rank({'a': 5, 'b': 9}))

#: unique_pairs
def unique_pairs(pairs):
    return len({tuple(sorted(p)) for p in pairs})
print(unique_pairs([(1, 2), (2, 1), (3, 4)]))

#: config
def config(text):
    out = {}
    for part in text.split(';'):
        key, value = part.split(':')
        out[key] = int(value)
    return out
print(config('width:80;height:24'))

#: fill_missing
def fill_missing(record, defaults):
    for key, value in defaults.items():
        record.setdefault(key, value)
    return record
print(fill_missing({'a': 1}, {'a': 0, 'b': 2}))

#: tally_votes
def tally_votes(votes):
    counts = {name: 0 for name in set(votes)}
    for vote in votes:
        counts[vote] += 1
    return counts['no']
print(tally_votes(['yes', 'no', 'no']))

#: flatten_dict
def flatten_dict(data):
    out = {}
    for key, inner in data.items():
        for name, value in inner.items():
            out[f'{key}.{name}'] = value
    return out
print(flatten_dict({'a': {'x': 1, 'y': 2}, 'b': {'x': 3}}))

#: remove_seen
def remove_seen(numbers, seen):
    fresh = []
    for n in numbers:
        if n not in seen:
            fresh.append(n)
            seen.add(n)
    return fresh
print(remove_seen([1, 2, 1, 3], {3}))

#: same_keys
def same_keys(a, b):
    return a.keys() == b.keys()
print(same_keys({'x': 1, 'y': 2}, {'y': 3, 'x': 4}))

#: shortest_value
def shortest_value(mapping):
    return min(mapping.values(), key=len)
print(shortest_value({'a': 'long word', 'b': 'tiny'}))

#: dict_sum
def dict_sum(mapping):
    return sum(mapping.values())
print(dict_sum({'jan': 31, 'feb': 28, 'mar': 31}))

#: dict_len
def dict_len(mapping):
    mapping['extra'] = 0
    return len(mapping)
print(dict_len({'a': 1, 'b': 2}))

#: update_counts
def update_counts(counts, more):
    for key in more:
        counts[key] = counts.get(key, 0) + more[key]
    return counts
print(update_counts({'a': 2}, {'a': 3, 'b': 1}))

#: pair_up
def pair_up(names):
    return {name: len(name) for name in names}
print(pair_up(['ada', 'linus']))

#: graph_edges
def graph_edges(graph):
    return [(a, b) for a in graph for b in graph[a]]
print(graph_edges({1: [2, 3], 2: [3], 3: []}))

#: neighbours_of
def neighbours_of(edges, node):
    return {b for a, b in edges if a == node}
print(len(neighbours_of([(1, 2), (1, 3), (2, 3), (1, 2)], 1)))

#: distances
def distances(graph, start):
    found = {start: 0}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in graph[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found
print(distances({'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}, 'a'))

#: max_pair
def max_pair(mapping):
    best = None
    for key, value in mapping.items():
        if best is None or value > mapping[best]:
            best = key
    return best
print(max_pair({'x': 3, 'y': 8, 'z': 8}))

#: to_query
def to_query(params):
    return '&'.join(f'{k}={v}' for k, v in params.items())
print(to_query({'page': 2, 'sort': 'name'}))

#: from_query
def from_query(text):
    return dict(part.split('=') for part in text.split('&'))
print(from_query('a=1&b=2'))

#: sort_keys
def sort_keys(mapping):
    return {k: mapping[k] for k in sorted(mapping)}
print(sort_keys({'b': 1, 'a': 2}))

#: multi_lookup
def multi_lookup(mapping, keys):
    return [mapping.get(k) for k in keys]
print(multi_lookup({'a': 1, 'b': 2}, ['b', 'x']))

#: set_ops
def set_ops(numbers):
    small = {n for n in numbers if n < 5}
    small.discard(0)
    small.add(9)
    return sorted(small)
print(set_ops([0, 2, 4, 6, 2]))

#: duplicates
def duplicates(items):
    seen, twice = set(), set()
    for item in items:
        (twice if item in seen else seen).add(item)
    return sorted(twice)
print(duplicates([5, 1, 5, 2, 1]))

#: is_disjoint
def is_disjoint(a, b):
    return set(a).isdisjoint(b)
print(is_disjoint('abc', 'xyz'))

#: key_for
def key_for(mapping, value):
    return next((k for k, v in mapping.items() if v == value), None)
print(key_for({'a': 10, 'b': 20}, 20))

#: nested_update
def nested_update(data, name, amount):
    data[name]['count'] += amount
    return data
print(nested_update({'x': {'count': 1}}, 'x', 4))

#: lists_by_parity
def lists_by_parity(numbers):
    out = {'even': [], 'odd': []}
    for n in numbers:
        out['odd' if n % 2 else 'even'].append(n)
    return out
print(lists_by_parity([1, 2, 3, 4, 6]))

#: drop_smallest
def drop_smallest(mapping):
    del mapping[min(mapping, key=mapping.get)]
    return mapping
print(drop_smallest({'a': 4, 'b': 1, 'c': 6}))

#: frozen_key
def frozen_key(groups):
    return {frozenset(g): len(g) for g in groups}[frozenset([2, 1])]
print(frozen_key([[1, 2], [3]]))

#: words_of_length
def words_of_length(words, n):
    return {w for w in words if len(w) == n} == {'to', 'be'}
print(words_of_length(['to', 'be', 'or2', 'be'], 2))

#: copy_then_change
def copy_then_change(mapping):
    other = mapping.copy()
    other['a'] = 0
    return mapping['a'], other['a']
print(copy_then_change({'a': 5}))

#: clear_all
def clear_all(mapping):
    size = len(mapping)
    mapping.clear()
    return size, mapping
print(clear_all({1: 2, 3: 4}))

#: enumerate_dict
def enumerate_dict(mapping):
    return [f'{i}:{k}' for i, k in enumerate(mapping)]
print(enumerate_dict({'x': 0, 'y': 0}))

#: balance
def balance(transactions):
    accounts = {}
    for name, kind, amount in transactions:
        sign = 1 if kind == 'in' else -1
        accounts[name] = accounts.get(name, 0) + sign * amount
    return accounts
print(balance([('a', 'in', 50), ('b', 'in', 20), ('a', 'out', 30)]))
