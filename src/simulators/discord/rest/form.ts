import type { Context } from "hono";
import type { z } from "zod";
import { invalidForm, refusals } from "../errors";
import { parseJson } from "../../base/json";
import { isSnowflake } from "../ids";

/** A file in a call, under Discord's `files[n]`. */
export type Upload = { index: string; file: File };

/** The body as JSON, and the files with it. */
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

/** The body, checked. */
export async function bodyOf<T>(c: Context, shape: z.ZodType<T>): Promise<T> {
  return check(shape, (await readBody(c)).json);
}

export function check<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidForm(issue?.path ?? [], issue?.message ?? "");
}

/** An id in the path; checks only its form. */
export function idParam(c: Context, name: string): string {
  const value = c.req.param(name) ?? "";
  if (!isSnowflake(value)) throw invalidForm([`${name}_id`], `Value "${value}" is not snowflake.`);
  return value;
}

type Range = { least: number; most: number; usual: number };

export function countParam(c: Context, name: string, { least, most, usual }: Range): number {
  const given = Number(c.req.query(name) ?? usual);
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  throw invalidForm([name], `int value should be between ${least} and ${most}.`);
}

function parse(text: string): unknown {
  if (text === "") return {};
  try {
    return parseJson(text);
  } catch {
    throw refusals.notJson();
  }
}
