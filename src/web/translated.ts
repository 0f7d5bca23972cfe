/** What a translator put in the place of a text that React holds. */
const inPlaceOf = new WeakMap<Node, ChildNode>();

/**
 * Keeps React going on a page that a translator changes. Translators put `<font>` elements in the place of our texts;
 * React still holds the texts, and would fail to remove one, or to insert something before it. From now on what stands
 * in a text's place is taken for it, and a text that changes comes back, to be translated again.
 * https://github.com/facebook/react/issues/11538
 */
export function surviveTranslators() {
  const watch = new MutationObserver((changes) => {
    for (const { target, removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
      if (target instanceof Text) inPlaceOf.get(target)?.replaceWith(target);
      const [text] = removedNodes;
      const inPlace =
        addedNodes[0] ?? [previousSibling, nextSibling].find((node) => node?.nodeName === "FONT");
      if (!(text instanceof Text) || !(inPlace instanceof Element)) continue;
      inPlaceOf.set(text, inPlace);
      watch.observe(text, { characterData: true });
    }
  });
  watch.observe(document, { childList: true, subtree: true });

  // oxlint-disable-next-line typescript/unbound-method -- called on the node each time
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    inPlaceOf.get(child)?.remove();
    return child;
  };
  Node.prototype.insertBefore = function <Added extends Node>(this: Node, node: Added, before: Node | null) {
    const inPlace = before && before.parentNode !== this ? inPlaceOf.get(before) : before;
    return insertBefore.call(this, node, inPlace?.parentNode === this ? inPlace : null) as Added;
  };
}
