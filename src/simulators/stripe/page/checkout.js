// Groups digits during typing; the page works without this.
const by = (id) => document.getElementById(id);
const group = (input, format) =>
  input?.addEventListener("input", () => {
    if (input.selectionStart === input.value.length) input.value = format(input.value);
  });
const digits = (text) => text.replace(/\D/g, "");
group(by("number"), (text) =>
  digits(text)
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, "$1 "),
);
group(by("expiry"), (text) => {
  const kept = digits(text).slice(0, 4);
  const whole = /^[2-9]/.test(kept) ? "0" + kept : kept;
  return whole.length > 2 ? whole.slice(0, 2) + " / " + whole.slice(2) : whole;
});
const form = document.querySelector(".pay form");
form?.addEventListener("submit", () => {
  const button = form.querySelector("button");
  button.disabled = true;
  button.textContent = "Processing…";
});
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.querySelector("[aria-invalid]")?.focus();
