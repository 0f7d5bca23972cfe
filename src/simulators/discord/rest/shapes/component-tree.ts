import type { z } from "zod";
import type { Component } from "../../store/rows";

/** What no single component can be asked for: distinct ids, and how much there may be in all. */
export function checkWhole(components: readonly object[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  const total = { count: 0, text: 0 };
  walk(components, (one, path) => {
    total.count += 1;
    if (one["type"] === 10) total.text += String(one["content"]).length;
    const own = one["custom_id"];
    if (typeof own !== "string") return;
    if (seen.has(own))
      complain(
        context,
        [...path, "custom_id"],
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        "Component custom id cannot be duplicated",
      );
    seen.add(own);
  });
  if (total.count > 40)
    complain(
      context,
      [],
      "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
      "The total number of components cannot exceed 40",
    );
  if (total.text > 4000)
    complain(context, [], "COMPONENT_MAX_TOTAL_CONTENT_LENGTH", "The total text content cannot exceed 4000");
}

/** Gives every component a number, as Discord does, in the order in which they are read. */
export function numbered(components: readonly object[]): Component[] {
  const taken = new Set<number>();
  walk(components, (one) => void (typeof one["id"] === "number" && one["id"] > 0 && taken.add(one["id"])));
  let last = 0;
  const copy: unknown = structuredClone(components);
  walk(copy as object[], (one) => {
    if (typeof one["id"] === "number" && one["id"] > 0) return;
    do last += 1;
    while (taken.has(last));
    one["id"] = last;
  });
  return copy as Component[];
}

type Visit = (component: Record<string, unknown>, path: (string | number)[]) => void;

/** Every component, those within others too. */
export function walk(components: readonly object[], visit: Visit, path: (string | number)[] = []) {
  for (const [index, component] of components.entries()) {
    const one = component as Record<string, unknown>;
    const here = [...path, index];
    visit(one, here);
    if (Array.isArray(one["components"])) walk(one["components"] as object[], visit, [...here, "components"]);
    for (const key of ["accessory", "component"])
      if (typeof one[key] === "object" && one[key] !== null)
        visit(one[key] as Record<string, unknown>, [...here, key]);
  }
}

export function complain(
  context: z.RefinementCtx,
  path: string | (string | number)[],
  code: string,
  message = "This field is required",
) {
  context.addIssue({ code: "custom", path: [path].flat(), message, params: { code } });
}
