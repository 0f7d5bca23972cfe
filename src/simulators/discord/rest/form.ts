import type { Context } from "hono";
import type { z } from "zod";
import { DiscordRefusal, type ErrorTree, type FieldError, invalidForm, plant, refusals } from "../errors";
import { isSnowflake } from "../ids";

/** A file that came with a call, under Discord's `files[n]`. */
export type Upload = { index: string; file: File };

/** The body as JSON, and the files beside it. */
export async function readBody(c: Context): Promise<{ json: unknown; files: Upload[] }> {
  const type = c.req.header("content-type") ?? "";
  if (!type.startsWith("multipart/form-data")) return { json: parse(await c.req.text()), files: [] };
  const form = await c.req.formData().catch(() => {
    throw refusals.notJson();
  });
  const files: Upload[] = [];
  for (const [name, value] of form.entries()) {
    const [, index] = /^files\[(\d+)\]$/.exec(name) ?? [];
    if (index !== undefined && typeof value !== "string") files.push({ index, file: value });
  }
  const payload = form.get("payload_json");
  return { json: typeof payload === "string" ? parse(payload) : Object.fromEntries(form), files };
}

/** The body, checked; a refusal is worded as Discord words it. */
export async function bodyOf<T>(c: Context, shape: z.ZodType<T>): Promise<T> {
  return check(shape, (await readBody(c)).json);
}

export function check<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const tree: ErrorTree = {};
  for (const issue of parsed.error.issues) plant(tree, issue.path.map(String), complaint(issue));
  throw new DiscordRefusal(400, 50035, "Invalid Form Body", tree);
}

/** An id in the path; it must at least look like one. */
export function idParam(c: Context, name: string): string {
  const value = c.req.param(name) ?? "";
  if (!isSnowflake(value))
    throw invalidForm(`${name}_id`, "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`);
  return value;
}

type Range = { least: number; most: number; usual: number };

export function countParam(c: Context, name: string, { least, most, usual }: Range): number {
  const given = Number(c.req.query(name) ?? usual);
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  throw invalidForm(name, "NUMBER_TYPE_MAX", `int value should be between ${least} and ${most}.`);
}

function parse(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.notJson();
  }
}

type Issue = z.core.$ZodIssue;

/** Zod's complaint in Discord's words. */
function complaint(issue: Issue): FieldError {
  if (issue.code === "custom")
    return { code: String(issue.params?.["code"] ?? "BASE_TYPE_BAD"), message: issue.message };
  if (issue.code === "too_big" || issue.code === "too_small") return size(issue);
  if (issue.code === "invalid_value")
    return { code: "BASE_TYPE_CHOICES", message: `Value must be one of {${issue.values.join(", ")}}.` };
  if (issue.code === "invalid_union")
    return { code: "UNION_TYPE_CHOICES", message: "Value of field is not one of the allowed kinds." };
  if (issue.code === "invalid_format")
    return { code: "STRING_TYPE_REGEX", message: `String value did not match validation: ${issue.format}.` };
  if (issue.code !== "invalid_type") return { code: "BASE_TYPE_BAD", message: issue.message };
  if (issue.input === undefined) return { code: "BASE_TYPE_REQUIRED", message: "This field is required" };
  return { code: `${issue.expected.toUpperCase()}_TYPE_CONVERT`, message: `Expected a ${issue.expected}.` };
}

function size(issue: Extract<Issue, { code: "too_big" | "too_small" }>): FieldError {
  const at = issue.code === "too_big" ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
  const way = issue.code === "too_big" ? "MAX" : "MIN";
  if (issue.origin === "string") return { code: "BASE_TYPE_BAD_LENGTH", message: `Must be ${at} in length.` };
  if (issue.origin === "array")
    return { code: `BASE_TYPE_${way}_LENGTH`, message: `Must be ${at} in length.` };
  return { code: `NUMBER_TYPE_${way}`, message: `Value should be ${at}.` };
}
