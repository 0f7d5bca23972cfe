import { expect, mock, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { CodeInput } from "@/web/parts/code-input";

function show() {
  const [onComplete, onChange] = [
    mock<(code: string) => void>(() => {}),
    mock<(code: string) => void>(() => {}),
  ];
  render(<CodeInput label="Code" focusFirst onComplete={onComplete} onChange={onChange} />);
  const boxes = screen.getAllByRole<HTMLInputElement>("textbox");
  return {
    user: userEvent.setup(),
    boxes,
    onComplete,
    onChange,
    typed: () => boxes.map((box) => box.value).join("|"),
  };
}

test("six boxes take one digit each, and the sixth completes the code", async () => {
  const { user, boxes, typed, onComplete } = show();
  expect(boxes).toHaveLength(6);
  expect(document.activeElement).toBe(boxes[0]!);
  await user.keyboard("12345");
  expect(onComplete).not.toHaveBeenCalled();
  await user.keyboard("6");
  expect(typed()).toBe("1|2|3|4|5|6");
  expect(onComplete).toHaveBeenCalledTimes(1);
  expect(onComplete).toHaveBeenCalledWith("123456");
});

test("a pasted '123 456' fills all six, from whichever box", async () => {
  const { user, boxes, typed, onComplete } = show();
  await user.click(boxes[3]!);
  await user.paste(" 123 456\n");
  expect(typed()).toBe("1|2|3|4|5|6");
  expect(onComplete).toHaveBeenCalledWith("123456");
});

test("a shorter paste fills from its box on and focuses the first empty one", async () => {
  const { user, boxes, typed } = show();
  await user.click(boxes[2]!);
  await user.paste("78");
  expect(typed()).toBe("||7|8||");
  expect(document.activeElement).toBe(boxes[0]!);
});

test("a phone's autofill of the whole code into the first box fills all six", async () => {
  const { boxes, typed, onComplete, user } = show();
  expect(boxes.map((box) => box.autocomplete)).toEqual(["one-time-code", "off", "off", "off", "off", "off"]);
  await user.click(boxes[0]!);
  const { fireEvent } = await import("@testing-library/react");
  fireEvent.change(boxes[0]!, { target: { value: "246810" } });
  expect(typed()).toBe("2|4|6|8|1|0");
  expect(onComplete).toHaveBeenCalledWith("246810");
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
