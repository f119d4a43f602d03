#!/usr/bin/env python3
"""How fast other tools make mutants, on the programs that `cargo bench -p codexec-mutate` takes.

    python3 mutate/benches/peers.py fill FOLDER --corpus train_programs.jsonl.zst   # needs `zstd`
    CODEXEC_BENCH_PROGRAMS=FOLDER cargo bench -p codexec-mutate
    pip install cosmic-ray==8.7.0 mutmut==2.5.1 mutpy==0.6.1
    python3 mutate/benches/peers.py run FOLDER [--seconds 20]

`fill` writes 70 programs of 13 lines from a JSON Lines corpus (field `code`) to FOLDER/short, of
which the bench takes the first 50 with three sites or more, and 50 files of 150 to 210 lines of the
standard library to FOLDER/long. `run` times, for each tool that can be imported, only the making of
the mutated texts: no test is run, and nothing is written. A mutant that the tool gives as a tree is
unparsed, since ours are texts. Time is CPU time of one process.

Mutants per second and core with one edit or two each, on a core whose other thread was busy:

              13 lines   180 lines
    ours         87784       14483   (80119 and 13215 with every site edited at probability 0.5)
    mutmut         621         113
    mutpy          219          44
    cosmic-ray     209          38
"""

import argparse
import ast
import json
import pathlib
import subprocess
import sysconfig
import time


def fill(folder, corpus):
    short, long = [], []
    text = subprocess.run(["zstd", "-dc", corpus], check=True, capture_output=True).stdout.decode()
    for line in text.splitlines():
        code = json.loads(line)["code"]
        if len(code.splitlines()) == 13 and len(short) < 70:
            short.append(code)
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if {"site-packages", "dist-packages", "test"} & set(path.parts) or len(long) == 50:
            continue
        code = path.read_text(errors="ignore")
        if 150 <= len(code.splitlines()) <= 210:
            long.append(code)
    for name, programs in (("short", short), ("long", long)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, code in enumerate(programs):
            (folder / name / f"{number:02}.py").write_text(code)


def mutmut(path):
    from mutmut import Context, list_mutations, mutate

    source = path.read_text()
    for mutation in list_mutations(Context(source=source, filename=str(path))):
        text, _ = mutate(Context(source=source, filename=str(path), mutation_id=mutation))
        yield text


def cosmic_ray(path):
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    source = path.read_text()
    for name in operator_names():
        operator = get_operator(name)
        try:
            operator = operator()
        except TypeError:  # operators with arguments need a configuration
            continue
        nodes = ast_nodes(get_ast_from_path(path))
        sites = sum(len(list(operator.mutation_positions(node))) for node in nodes)
        for site in range(sites):
            yield mutate_code(source, operator, site)


def mutpy(path):
    from mutpy import codegen, controller, operators, utils

    tree = utils.create_ast(path.read_text())
    mutator = controller.FirstOrderMutator(operators.standard_operators)
    for _, mutant in mutator.mutate(tree):
        yield codegen.to_source(mutant)


def run(folder, seconds):
    for name in ("short", "long"):
        for tool in (mutmut, cosmic_ray, mutpy):
            made, failed, start = 0, 0, time.process_time()
            for path in sorted((folder / name).glob("*.py")):
                if time.process_time() - start > seconds:
                    break
                try:
                    ast.parse(path.read_text())
                    for _ in tool(path):
                        made += 1
                        if time.process_time() - start > seconds:
                            break
                except ImportError as error:
                    print(f"{tool.__name__}: {error}")
                    break
                except Exception:  # a tool that fails on a file is counted, not followed
                    failed += 1
            spent = time.process_time() - start
            rate = made / spent if spent else 0
            print(f"{name} {tool.__name__}: {rate:.0f} mutants/s ({made} made, {failed} files failed)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["fill", "run"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--corpus", help="JSON Lines with the programs' text in `code`, zstd")
    parser.add_argument("--seconds", type=float, default=20, help="at most for each tool and set")
    options = parser.parse_args()
    if options.action == "fill":
        if not options.corpus:
            parser.error("fill needs --corpus")
        fill(options.folder, options.corpus)
    else:
        run(options.folder, options.seconds)


if __name__ == "__main__":
    main()
