"""What the report of a run looks like."""

#: The style sheet. What an anchor chooses is shown alone: where a browser does not know ``:has``, it only goes there.
STYLE = """\
:root { color-scheme: light dark; --text: #262c36; --faint: #5b6573; --paper: #f7f7f5; --plate: #ffffff;
  --line: #d5dae1; --bad: #b3261e; --known: #8a5a00; --good: #1b6e4b; --code: #eef1f4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ee; --faint: #a3adba; --paper: #16191e; --plate: #1f242b; --line: #39424e; --bad: #ff8a80;
    --known: #f0b95a; --good: #6fd3a5; --code: #2a3038; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; background: var(--paper); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 1.5rem 0 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 0; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .6rem; }
h3 a { color: inherit; text-decoration: none; }
a { color: inherit; }
.sum, .about, .place { color: var(--faint); }
.sum, .about { margin: .2rem 0; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin-top: .6rem; }
nav details { flex-basis: 100%; }
nav ul { margin: .3rem 0; padding-left: 1.2rem; columns: 20rem; }
article { background: var(--plate); border: 1px solid var(--line); border-left: .3rem solid var(--line);
  border-radius: .4rem; padding: .8rem 1rem; margin: .8rem 0; }
article.broken { border-left-color: var(--bad); }
article.accepted { border-left-color: var(--known); }
article.held { border-left-color: var(--good); padding: .2rem 1rem; }
article.held p { margin: 0; }
.broken b, span.broken { color: var(--bad); }
.accepted b { color: var(--known); }
.held b { color: var(--good); }
b { font-weight: 600; }
figure { margin: 0 0 .8rem; }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .3rem; }
table { border-collapse: collapse; }
th { text-align: left; vertical-align: top; font-weight: normal; color: var(--faint); padding: 0 1rem 0 0;
  white-space: nowrap; }
td { padding: 0; }
.actual td { font-weight: 600; }
pre { background: var(--code); border-radius: .3rem; padding: .5rem .7rem; margin: .7rem 0 0; font-size: .85rem;
  white-space: pre-wrap; }
.message { color: var(--bad); }
details { margin-top: .6rem; }
summary { cursor: pointer; color: var(--faint); }
body > span:target, section:target, article:target { scroll-margin-top: 1rem; }
article:target { outline: 2px solid var(--faint); }
body:has(> #broken:target) article:not(.broken), body:has(> #accepted:target) article:not(.accepted),
body:has(> #held:target) article:not(.held), body:has(> #left-out:target) article:not(.left-out) { display: none; }
body:has(> #broken:target) section:not(:has(article.broken)),
body:has(> #accepted:target) section:not(:has(article.accepted)),
body:has(> #held:target) section:not(:has(article.held)),
body:has(> #left-out:target) section:not(:has(article.left-out)) { display: none; }
main:has(> section:target) > section:not(:target) { display: none; }
@media (max-width: 34rem) {
  body { padding: 0 .6rem 2rem; }
  article { padding: .6rem .7rem; }
  tr { display: block; margin-top: .3rem; }
  th, td { display: block; }
  figure { overflow-x: auto; }
  img { max-width: none; width: 170%; }
}
@media print {
  :root { --text: #000; --faint: #444; --paper: #fff; --plate: #fff; --line: #bbb; --bad: #b3261e; --known: #8a5a00;
    --good: #1b6e4b; --code: #f2f2f2; }
  body { max-width: none; font-size: 10pt; padding: 0; }
  nav { display: none; }
  article { break-inside: avoid; }
  figure, tr, h2, h3 { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  figure { overflow: visible; }
  img { max-width: 100%; max-height: 11cm; width: auto; }
}
"""
