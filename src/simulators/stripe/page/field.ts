import { html, raw } from "hono/html";
import type { Complaints, Typed } from "./card-form";

type Field = {
  name: Exclude<keyof Typed, "method">;
  label: string;
  autocomplete: string;
  placeholder: string;
  type?: string;
  inputmode?: string;
  maxlength?: number;
  readonly?: boolean;
};

/** A labelled input with its complaint below; a card's number and code are never sent back. */
export function field(field: Field, typed: Typed, complaints: Complaints) {
  const complaint = complaints[field.name];
  const secret = field.name === "number" || field.name === "cvc";
  return html`
    <div class="field">
      <label for="${field.name}">${field.label}</label>
      <input
        id="${field.name}"
        name="${field.name}"
        type="${field.type ?? "text"}"
        value="${secret ? "" : typed[field.name]}"
        autocomplete="${field.autocomplete}"
        placeholder="${field.placeholder}"
        inputmode="${field.inputmode ?? "text"}"
        maxlength="${field.maxlength ?? 120}"
        spellcheck="false"
        required
        ${raw(field.readonly ? "readonly" : "")}
        ${complaint === undefined ? "" : raw(`aria-invalid="true" aria-describedby="${field.name}-error"`)}
      />
      ${complaint === undefined ? "" : html`<p class="error" id="${field.name}-error" ${alone(complaints)}>${complaint}</p>`}
    </div>
  `;
}

/** With several complaints the line above the form is read out instead. */
function alone(complaints: Complaints) {
  return raw(Object.keys(complaints).length === 1 ? 'role="alert"' : "");
}
