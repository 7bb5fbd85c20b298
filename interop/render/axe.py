"""Looks at pages with axe-core in Chromium: WCAG 2.2 A and AA, and its best practices.

    npm pack axe-core && tar xzf axe-core-*.tgz
    python axe.py package/axe.min.js PAGE.html…

The policy in the head of a page forbids scripts, so a copy without it is looked at.
"""

import html
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TAGS = '["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]'
RUN = (
    "<script>%s</script><script>axe.run({runOnly:" + TAGS + "}).then(r=>{document.body.innerHTML="
    "'<pre id=out></pre>';document.getElementById('out').textContent='@@'+JSON.stringify("
    "r.violations.map(v=>[v.id,v.impact,v.nodes.length,v.nodes[0].html.slice(0,200)]))+'@@'})</script>"
)
CHROMIUM = "chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 --dump-dom".split()


def main() -> int:
    axe = Path(sys.argv[1]).read_text().replace("</script", "<\\/script")
    bad = 0
    for name in sys.argv[2:]:
        page = re.sub(r"<meta http-equiv[^>]*>", "", Path(name).read_text())
        page = page.replace("</body>", RUN.replace("%s", axe, 1) + "</body>")
        with tempfile.NamedTemporaryFile("w", suffix=".html") as copy:
            copy.write(page)
            copy.flush()
            call = [*CHROMIUM, f"file://{copy.name}"]
            seen = subprocess.run(call, capture_output=True, text=True, timeout=120).stdout
        found = re.search(r"@@(.*)@@", seen, re.S)
        answer = html.unescape(found.group(1)) if found else "no answer"
        bad += answer != "[]"
        print(Path(name).name, answer)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
