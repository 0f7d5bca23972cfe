/**
 * A rule of oxlint: what people read is American English, in the glossary's words. It reads strings, templates and text
 * between JSX tags, but no names in `backticks`, class names, SQL or log lines. A third entry narrows a pattern.
 */
const tics = [
  [/\b(?:go|goes|going|went) on\b/i, "continue, or keep working"],
  [/\bat once\b/i, "right away"],
  [/\b(?:some|any|every)body\b/i, "someone, anyone, everyone"],
  [/\bany more\b/i, "no longer"],
  [/\bby (?:it|them)sel(?:f|ves)\b/i, "automatically, or on its own"],
  [/\bin all(?=$|[.,:;)])/i, "in total"],
  [/\bplaces\b/i, "seats, or computers", /\s/],
  [/^made$/i, "Created", /^M/],
  [/\bhanded out\b/i, "issued"],
  [/\bone a line\b/i, "one per line"],
  [/\byou get this email\b/i, "You're receiving this email"],
  [/\byou need to do nothing\b/i, "You don't need to do anything"],
  [/[\d…] %(?!\w)/, "20%"],
];

const rule = {
  create(context) {
    const check = (node, text) => {
      const read = text
        .replace(/`[^`]*`/g, "code")
        .replace(/\s+/g, " ")
        .trim();
      for (const [tic, better, only = /./] of tics)
        if (tic.test(read) && only.test(read))
          context.report({ node, message: `“${read}” should say: ${better}` });
    };
    return {
      JSXText: (node) => check(node, node.value),
      Literal(node) {
        if (typeof node.value === "string" && isShown(node)) check(node, node.value);
      },
      TemplateLiteral(node) {
        if (isShown(node)) check(node, node.quasis.map(({ value }) => value.cooked).join("…"));
      },
    };
  },
};

/** Whether people may read a string: it is no name, type, class, statement or log line. */
function isShown(node) {
  const { parent } = node;
  if (/^(Import|Export|TSLiteral)/.test(parent.type) || parent.type === "TaggedTemplateExpression")
    return false;
  if (parent.type === "MemberExpression" || (parent.type === "Property" && parent.key === node)) return false;
  for (let around = parent; around; around = around.parent) {
    if (around.type === "JSXAttribute") return around.name.name !== "className";
    if (around.type === "CallExpression" && around.callee.object?.name === "log") return false;
    if (/Function|Statement|Declaration/.test(around.type)) return true;
  }
  return true;
}

export default { meta: { name: "words" }, rules: { "shown-words": rule } };
