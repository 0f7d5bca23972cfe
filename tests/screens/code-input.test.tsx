import { expect, mock, test } from "bun:test";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { CodeInput } from "@/web/parts/code-input";

function show(filled?: string) {
  const [onSubmit, onChange] = [
    mock<(code: unknown) => void>(() => {}),
    mock<(code: string) => void>(() => {}),
  ];
  render(
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget).get("security_code"));
      }}
    >
      <CodeInput label="Code" focusFirst filled={filled} submits onChange={onChange} />
      <button type="submit">Send</button>
    </form>,
  );
  const boxes = screen.getAllByRole<HTMLInputElement>("textbox");
  return {
    user: userEvent.setup(),
    boxes,
    onSubmit,
    onChange,
    /** What was submitted, once nothing more follows. */
    submitted: async () => {
      await new Promise((done) => setTimeout(done, 20));
      return onSubmit.mock.calls.map(([code]) => code);
    },
    typed: () => boxes.map((box) => box.value).join("|"),
  };
}

test("six boxes take one digit each, and the sixth submits the code", async () => {
  const { user, boxes, typed, onSubmit, submitted } = show();
  expect(boxes).toHaveLength(6);
  expect(document.activeElement).toBe(boxes[0]!);
  await user.keyboard("12345");
  expect(await submitted()).toEqual([]);
  await user.keyboard("6");
  expect(typed()).toBe("1|2|3|4|5|6");
  await waitFor(() => expect(onSubmit).toHaveBeenCalled());
  expect(await submitted()).toEqual(["123456"]);
});

test("a pasted '123 456' fills all six, from whichever box, in any digits and with any dash", async () => {
  for (const text of [" 123 456\n", "123-456", "１２３\u2212４５６", "Your code: 123456", "1\u200b23456"]) {
    const { user, boxes, typed, submitted } = show();
    await user.click(boxes[3]!);
    await user.paste(text);
    expect([text, typed()]).toEqual([text, "1|2|3|4|5|6"]);
    expect(await submitted()).toEqual(["123456"]);
    cleanup();
  }
});

test("a digit of another script is typed like ours", async () => {
  const { user, typed, submitted } = show();
  await user.keyboard("１٢३４٥६");
  expect(typed()).toBe("1|2|3|4|5|6");
  expect(await submitted()).toEqual(["123456"]);
});

/** Fills boxes like a password manager, by one script that waits for nothing. */
function fill(boxes: HTMLInputElement[], texts: string[], tells: "each" | "afterwards" = "each") {
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  act(() => {
    if (tells === "afterwards") for (const [at, text] of texts.entries()) value?.set?.call(boxes[at], text);
    for (const [at, text] of texts.entries()) {
      if (tells === "each") value?.set?.call(boxes[at], text);
      for (const type of ["input", "change"]) boxes[at]?.dispatchEvent(new Event(type, { bubbles: true }));
    }
  });
}

test("a password manager that fills all boxes at once submits one code once", async () => {
  for (const texts of [
    ["1", "2", "3", "4", "5", "6"],
    ["123456", "2", "3", "4", "5", "6"],
    Array<string>(6).fill("123456"),
    ["１２３４５６", "２", "３", "４", "５", "６"],
  ]) {
    const { boxes, typed, submitted } = show();
    fill(boxes, texts);
    await waitFor(() => expect(typed()).toBe("1|2|3|4|5|6"));
    expect([texts, await submitted()]).toEqual([texts, ["123456"]]);
    // and again, as some do when the page has settled
    fill(boxes, texts);
    expect(await submitted()).toEqual(["123456"]);
    cleanup();
  }
});

test("a password manager may fill all boxes before it tells of any", async () => {
  const { boxes, typed, submitted } = show();
  fill(boxes, ["1", "2", "３", "4", "5", "6"], "afterwards");
  expect(await submitted()).toEqual(["123456"]);
  expect(typed()).toBe("1|2|3|4|5|6");
});

test("a password manager that replaces another code, or presses the button as well, submits once", async () => {
  const { boxes, submitted } = show("987654");
  expect(await submitted()).toEqual([]);
  fill(boxes, ["1", "2", "3", "4", "5", "6"]);
  expect(await submitted()).toEqual(["123456"]);
  fill(boxes, ["2", "2", "2", "2", "2", "2"]);
  screen.getByRole("button", { name: "Send" }).click();
  expect(await submitted()).toEqual(["123456", "222222"]);
});

test("an input method may write wide digits, and what else it writes disappears", async () => {
  const { boxes, typed, submitted } = show();
  const compose = (at: number, text: string) => {
    const target = { value: text };
    fireEvent.compositionStart(boxes[at]!);
    fireEvent.input(boxes[at]!, { target, isComposing: true });
    expect(boxes[at]!.value).toBe(text);
    fireEvent.compositionEnd(boxes[at]!, { data: text });
  };
  compose(0, "あ");
  expect(typed()).toBe("|||||");
  compose(0, "１");
  expect(typed()).toBe("1|||||");
  expect(document.activeElement).toBe(boxes[1]!);
  compose(1, "２３４５６");
  expect(typed()).toBe("1|2|3|4|5|6");
  expect(await submitted()).toEqual(["123456"]);
});

test("a shorter paste fills from its box on and focuses the first empty one", async () => {
  const { user, boxes, typed } = show();
  await user.click(boxes[2]!);
  await user.paste("78");
  expect(typed()).toBe("||7|8||");
  expect(document.activeElement).toBe(boxes[0]!);
});

test("a phone's autofill of the whole code into the first box fills all six", async () => {
  const { boxes, typed, submitted, user } = show();
  expect(boxes.map((box) => box.autocomplete)).toEqual(["one-time-code", "off", "off", "off", "off", "off"]);
  await user.click(boxes[0]!);
  fireEvent.change(boxes[0]!, { target: { value: "246810" } });
  expect(typed()).toBe("2|4|6|8|1|0");
  expect(await submitted()).toEqual(["246810"]);
});

test("backspace empties a box, and in an empty one moves to the previous", async () => {
  const { user, boxes, typed } = show();
  await user.keyboard("12");
  expect(document.activeElement).toBe(boxes[2]!);
  await user.keyboard("{Backspace}");
  expect(document.activeElement).toBe(boxes[1]!);
  expect(typed()).toBe("1|2||||");
  await user.keyboard("{Backspace}");
  expect(typed()).toBe("1|||||");
});

test("arrows move between the boxes, and a digit typed over another replaces it", async () => {
  const { user, typed } = show();
  await user.keyboard("12{ArrowLeft}{ArrowLeft}9");
  expect(typed()).toBe("9|2||||");
});

test("letters are ignored", async () => {
  const { user, typed, onChange } = show();
  await user.keyboard("a-");
  expect(typed()).toBe("|||||");
  expect(onChange).not.toHaveBeenCalled();
});

test("it is labelled for screen readers", () => {
  const { boxes } = show();
  expect(screen.getByRole("group", { name: "Code" })).toBeTruthy();
  expect(boxes.map((box) => box.getAttribute("aria-label"))).toContain("Digit 6 of 6");
});
