/**
 * A rule of oxlint: no bare text beside anything conditional. Translators put an element of their own in the place of
 * every text node; React, which still holds the text, then fails when it takes the text out or puts something before
 * it. It holds no node for the only text of an element. So a text that changes or goes has an element of its own:
 * `{busy && <Spinner />}<span>{words}</span>`. https://github.com/facebook/react/issues/11538
 */
const message =
  "Something conditional stands beside this text, or takes it out: give it an element of its own.";

const rule = {
  create(context) {
    const check = (parent) => {
      const drawn = parent.children.map((child) => kindOf(child, context)).filter((kind) => kind !== nothing);
      const conditional =
        (drawn.length > 1 && drawn.some((kind) => kind.conditional)) ||
        (parent.type === "JSXFragment" && isBranch(parent));
      if (conditional && drawn.some((kind) => kind.text)) context.report({ node: parent, message });
    };
    return { JSXElement: check, JSXFragment: check };
  },
};

/** A fragment that is a branch of a condition goes without its parent. */
const isBranch = ({ parent }) => /^(Conditional|Logical)Expression$/.test(parent.type);

/** One whose component or key may become another, and which is then replaced. */
function kindOfElement({ openingElement: { name, attributes } }, context) {
  const hasKey = attributes.some((attribute) => attribute.name?.name === "key");
  const varies = name.type === "JSXIdentifier" && /^[A-Z]/.test(name.name) && isLocal(name, context);
  return hasKey || varies ? { text: false, conditional: true } : element;
}

const nothing = { text: false, conditional: false };
const element = { text: false, conditional: false };
const text = { text: true, conditional: false };

function kindOf(child, context) {
  const { type, value, expression } = child;
  // translators leave blanks alone
  if (type === "JSXText") return value.trim() === "" ? nothing : text;
  if (type === "JSXElement") return kindOfElement(child, context);
  return type === "JSXExpressionContainer" ? kindOfValue(expression, context) : element;
}

function kindOfValue(value, context) {
  const either = (...branches) => ({
    text: branches.some((branch) => kindOfValue(branch, context).text),
    conditional: true,
  });
  switch (value.type) {
    case "JSXEmptyExpression":
      return nothing;
    case "ConditionalExpression":
      return either(value.consequent, value.alternate);
    case "LogicalExpression":
      return value.operator === "&&" ? either(value.right) : either(value.left, value.right);
    case "Literal":
      return typeof value.value === "string" && value.value.trim() !== "" ? text : nothing;
    case "TemplateLiteral":
      return text;
    case "CallExpression":
      // lists are of elements with keys
      return /^(map|flatMap|render[A-Z]\w*)$/.test(value.callee.property?.name ?? value.callee.name)
        ? element
        : text;
    case "Identifier":
      return givenAsElements.test(value.name) || isElement(value, context) ? element : text;
    case "MemberExpression":
      return givenAsElements.test(value.property.name) ? element : text;
    default:
      return element;
  }
}

const givenAsElements = /^(children|aside|further|link)$/;

/** Whether a name is that of a constant that holds an element. */
const isElement = (identifier, context) =>
  scopeOf(identifier, context)?.set.get(identifier.name)?.defs[0]?.node.init?.type.startsWith("JSX") === true;

/** Whether a name is not one of the whole file's. */
const isLocal = (identifier, context) =>
  !["module", "global", undefined].includes(scopeOf(identifier, context)?.type);

/** Where a name is declared. */
function scopeOf(identifier, context) {
  let scope = context.sourceCode.getScope(identifier);
  while (scope && !scope.set.has(identifier.name)) scope = scope.upper;
  return scope;
}

export default { meta: { name: "latchkey" }, rules: { "bare-text": rule } };
