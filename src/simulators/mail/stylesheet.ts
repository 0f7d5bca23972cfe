export const stylesheet = /* css */ `
:root { color-scheme: dark; --quiet: #a8a6b5; --line: #34323f; --card: #1b1a22; --accent: #a39bef; }
* { box-sizing: border-box; }
body { margin: 0; background: #121117; color: #eceaf4; font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding-top: 1rem; }
header a { color: inherit; font-weight: 600; text-decoration: none; }
main { padding-bottom: 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.25rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; display: flex; justify-content: space-between; gap: 1rem; margin: 2rem 0 .5rem; }
h2 a { font-weight: 400; }
a { color: var(--accent); }
a:hover { color: #c9c4f7; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); font-size: .875rem; }
.empty { padding: 3rem 1rem; text-align: center; color: var(--quiet); border: 1px dashed var(--line); border-radius: .5rem; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
input { flex: 1 1 12rem; min-width: 0; }
input, button, .button { min-height: 2.5rem; padding: .375rem .875rem; font: inherit; color: inherit; background: var(--card); border: 1px solid #6b6879; border-radius: .375rem; }
button, .button { cursor: pointer; text-decoration: none; }
button:hover, .button:hover { border-color: var(--accent); color: inherit; }
.danger { color: #ff9d9d; border-color: #8a4a4a; }
.list { list-style: none; margin: 0 0 1rem; padding: 0; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
.list:empty { display: none; }
.list li + li { border-top: 1px solid var(--line); }
.list a { display: flex; flex-direction: column; padding: .75rem 1rem; color: inherit; text-decoration: none; background: var(--card); overflow-wrap: anywhere; }
.list a:hover { background: #24222e; }
.list .quiet { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.facts { margin: 0; font-size: .875rem; }
.facts div { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: .25rem 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--quiet); overflow-wrap: anywhere; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 44rem; background: #fff; border: 0; border-radius: .5rem; }
pre { margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
@media (max-width: 30rem) { .facts div { grid-template-columns: 1fr; } }
`;
