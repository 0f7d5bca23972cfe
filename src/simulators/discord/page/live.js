// Fetches the page again when the server changes, unless the person is typing.
const here = () => document.querySelector("[data-change]");

async function follow() {
  const seen = here()?.dataset.change;
  if (seen === undefined) return;
  const answer = await fetch(`/_page/wait?since=${seen}`).catch(() => null);
  if (answer?.ok && (await answer.text()) !== seen && !isBusy()) await refresh();
  else await new Promise((resolve) => setTimeout(resolve, 1000));
  void follow();
}

async function refresh() {
  const fresh = await (await fetch(location.href)).text();
  const next = new DOMParser().parseFromString(fresh, "text/html").querySelector("[data-change]");
  if (!next || isBusy()) return;
  const written = document.querySelector("#messages")?.scrollTop;
  const atEnd = isAtEnd();
  here().replaceWith(next);
  const list = document.querySelector("#messages");
  if (list) list.scrollTop = atEnd ? list.scrollHeight : (written ?? 0);
}

function isBusy() {
  const { activeElement } = document;
  const typing = activeElement?.matches("input, textarea, select") && activeElement.closest("form");
  const filled = [...document.querySelectorAll("textarea, input[type=text]")].some(
    (field) => field.value !== field.defaultValue,
  );
  return Boolean(typing) || filled;
}

function isAtEnd() {
  const list = document.querySelector("#messages");
  return !list || list.scrollHeight - list.scrollTop - list.clientHeight < 80;
}

const list = document.querySelector("#messages");
if (list) list.scrollTop = list.scrollHeight;
void follow();
