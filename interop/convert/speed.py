"""What a conversion costs beside the start of a program, ours and others', in one run.

    python3 interop/convert/speed.py QUOIN EN16931 PYTHON [DOCUMENT]

DOCUMENT is a UBL invoice of 20 kB (one of ours where none is given); it becomes CII. QUOIN converts a
folder of them; EN16931 one at a time, less its start; euinvoice in a process that is warm. Told is
the processor time of a document in milliseconds.
"""

import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

SAMPLE = pathlib.Path(__file__).parents[2] / "crates/formats/samples/bis3-invoice-16-lines.xml"
ROUNDS = 200
WARM = """
import sys, time, euinvoice
data = open(sys.argv[1], "rb").read()
one = lambda: euinvoice.to_xml(euinvoice.parse(data), syntax="cii")
one()
before = time.process_time()
for _ in range(int(sys.argv[2])):
    one()
print((time.process_time() - before) / int(sys.argv[2]) * 1000)
"""


def spent(*call):
    """Milliseconds of processor time of a command that ends well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(call, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main(quoin, en16931, python, document=SAMPLE):
    work = pathlib.Path(tempfile.mkdtemp())
    many, few, out = work / "many", work / "few", work / "out"
    for folder, count in ((many, ROUNDS + 1), (few, 1)):
        folder.mkdir()
        for number in range(count):
            shutil.copy(document, folder / f"{number}.xml")

    def ours(folder):
        return spent(quoin, "convert", str(folder), "--to", "cii", "--output", str(out))

    def theirs():
        target = str(work / "target.xml")
        return spent(en16931, "convert", str(document), "--to", "cii", "--output", target)

    print(f"quoin, a folder of {ROUNDS}: {(ours(many) - ours(few)) / ROUNDS:.2f} ms")
    start = sum(spent(en16931, "--version") for _ in range(ROUNDS)) / ROUNDS
    whole = sum(theirs() for _ in range(ROUNDS)) / ROUNDS
    print(f"en16931-cli, one at a time, less its start of {start:.2f}: {whole - start:.2f} ms")
    call = [python, "-c", WARM, str(document), str(ROUNDS)]
    told = subprocess.run(call, check=True, capture_output=True, text=True).stdout
    print(f"euinvoice, warm: {float(told):.2f} ms")
    shutil.rmtree(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
