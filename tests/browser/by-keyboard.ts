import type { Locator, Page } from "playwright-core";

/** Goes through a page by keyboard alone, and keeps what a person who sees only the focus would stumble over. */
export function byKeyboard(page: Page) {
  const faults: string[] = [];
  const press = async (key: string) => {
    await page.keyboard.press(key);
    if (/^(Tab|Arrow)/.test(key)) faults.push(...(await focusFaults(page)));
  };
  /** Presses Tab until this has the focus. */
  const tabTo = async (target: Locator, most = 60) => {
    await target.waitFor();
    // where the page begins again, the first stop may stand above the last
    await page.evaluate(() => Reflect.deleteProperty(window, "lastStop"));
    for (let presses = 0; presses < most; presses++) {
      if (await target.evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press("Tab");
      // past the end of a page the focus is in the browser's own bars
      if ((await nameOfFocus(page)) !== "BODY 0") faults.push(...(await focusFaults(page)));
    }
    throw new Error(`Tab doesn't reach ${target.toString()}; faults so far: ${faults.join("; ") || "none"}`);
  };
  return {
    faults,
    press,
    tabTo,
    /** Reaches a field, and types into it. */
    async fill(target: Locator, text: string) {
      await tabTo(target);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    /** Reaches a link or button, and presses it. */
    async choose(target: Locator, key = "Enter") {
      await tabTo(target);
      await page.keyboard.press(key);
    },
    /** Goes by Tab through a part of the page, from its beginning to its end. */
    async walkThrough(part: Locator) {
      await part.evaluate((one) => {
        Reflect.deleteProperty(window, "lastStop");
        if (one instanceof HTMLElement) one.focus();
      });
      for (let presses = 0; presses < 150; presses++) {
        await page.keyboard.press("Tab");
        const isPast = (await nameOfFocus(page)) === "BODY 0";
        if (isPast || !(await part.evaluate((one) => one.contains(document.activeElement)))) return;
        faults.push(...(await focusFaults(page)));
      }
      throw new Error("the focus doesn't come to an end");
    },
    /** Goes once round an open dialog: the focus begins and stays inside, Escape closes it and gives the focus back. */
    async goRound(dialog: Locator, opener: Locator) {
      await dialog.waitFor();
      await page.waitForFunction(
        (one) => one?.contains(document.activeElement) ?? false,
        await dialog.elementHandle(),
      );
      await page.evaluate(() => Reflect.deleteProperty(window, "lastStop"));
      const begins = await nameOfFocus(page);
      const isModal = await dialog.evaluate((one) => one.matches("dialog:modal"));
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press("Tab");
        if (isModal && (await nameOfFocus(page)) === "BODY 0") {
          // after the last stop of its own modal dialogs a browser's own bars follow, then the first again
          await page.keyboard.press("Tab");
          await page.evaluate(() => Reflect.deleteProperty(window, "lastStop"));
        }
        if ((await nameOfFocus(page)) === begins) break;
        faults.push(...(await focusFaults(page)));
        const isInside = await dialog.evaluate((one) => one.contains(document.activeElement));
        if (!isInside) throw new Error(`the focus left the dialog for ${await nameOfFocus(page)}`);
        if (presses === 39) throw new Error("the focus doesn't come back to where it began");
      }
      faults.push(...(await focusFaults(page)).filter((fault) => !fault.includes("stands before")));
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.waitForFunction((one) => one === document.activeElement, await opener.elementHandle());
    },
  };
}

const nameOfFocus = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    const all = [...document.querySelectorAll(one?.tagName ?? "body")];
    return `${one?.tagName} ${one ? all.indexOf(one) : -1}`;
  });

/** What is wrong with where the focus is: nowhere, out of sight, without a mark that contrasts, or before what it followed. */
export async function focusFaults(page: Page): Promise<string[]> {
  await page.evaluate(settle);
  return page.evaluate(judgeFocus);
}

/** Runs in the page: waits until the focused element has taken its look, and scrolling has ended. */
async function settle() {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  const running = document.activeElement?.getAnimations() ?? [];
  await Promise.allSettled(running.map((one) => one.finished));
  let before = NaN;
  for (let frames = 0; frames < 60 && before !== scrollY; frames++) {
    before = scrollY;
    await frame();
    await frame();
  }
}

/** Runs in the page. */
function judgeFocus(): string[] {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return ["the focus is on nothing"];
  const shown = seenFor(focused);
  const what = `${focused.tagName.toLowerCase()} "${nameOf(focused)}"`;
  const faults = [
    ...(isSeen(shown) ? [] : ["is out of sight"]),
    ...(isMarked(shown) ? [] : ["has no mark of the focus"]),
    ...orderFaults(shown),
  ];
  return faults.map((fault) => `${location.pathname}: ${what} ${fault}`);

  /** The label stands for a field that it hides. */
  function seenFor(element: HTMLElement): HTMLElement {
    const { width, height } = element.getBoundingClientRect();
    const hidden = width < 3 || height < 3 || getComputedStyle(element).opacity === "0";
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    return hidden && label ? label : element;
  }

  function nameOf(element: HTMLElement): string {
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined;
    const name = element.getAttribute("aria-label") ?? label ?? element.innerText;
    return name.replace(/\s+/g, " ").trim().slice(0, 40);
  }

  /** Inside the window, and something of it not covered by something else. */
  function isSeen(element: HTMLElement): boolean {
    return [...element.getClientRects()].some((box) => {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      const fits = (box.width > innerWidth || right - left >= box.width - 1) && right > left;
      // what is higher than the room between the bar and the edge can't be seen whole
      const whole = (box.height > innerHeight - 128 || bottom - top >= box.height - 1) && bottom > top;
      if (!fits || !whole) return false;
      return [0.15, 0.5, 0.85].some((part) => {
        const hit = document.elementFromPoint(left + (right - left) * part, (top + bottom) / 2);
        return hit !== null && (element.contains(hit) || hit.contains(element));
      });
    });
  }

  /** An outline or ring of 2 px, or a border of the ring's colour (its label's too), that has 3:1 to what is behind (WCAG 1.4.11). */
  function isMarked(element: HTMLElement): boolean {
    const style = getComputedStyle(element);
    const { outlineStyle, outlineWidth, outlineColor } = style;
    const behind = groundOf(element.parentElement ?? element);
    const contrasts = (colour: string) => contrast(over(rgba(colour), behind), behind) >= 3;
    const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    if (outlined && contrasts(outlineColor)) return true;
    const [, shadow] = /(\w+\([^)]*\)) 0px 0px 0px [2-9]px/.exec(style.boxShadow) ?? [];
    if (shadow && contrasts(shadow)) return true;
    const ring = rgba(style.getPropertyValue("--ring")).join();
    return [element, element.closest("label") ?? element].some((one) => {
      const { borderBottomColor, borderBottomWidth } = getComputedStyle(one);
      const drawn = parseFloat(borderBottomWidth) >= 1 && contrasts(borderBottomColor);
      return drawn && rgba(borderBottomColor).join() === ring;
    });
  }

  /** Within one part of the page, the focus goes down, and to the right in a line. */
  function orderFaults(element: HTMLElement): string[] {
    const box = element.getBoundingClientRect();
    const part = element.closest("dialog, [role=dialog], header, nav, aside, main, footer");
    const now = {
      part,
      left: box.left,
      right: box.right,
      top: box.top + (part?.scrollTop ?? 0) + scrollY,
      bottom: box.bottom + (part?.scrollTop ?? 0) + scrollY,
      // placed out of the flow, as the cross of a dialog
      corner: ["absolute", "fixed"].includes(getComputedStyle(element).position),
      name: nameOf(element),
    };
    const last: unknown = Reflect.get(window, "lastStop");
    Reflect.set(window, "lastStop", now);
    const was = last as typeof now | undefined;
    if (!was || was.part !== part || was.corner || now.corner) return [];
    const above = now.bottom <= was.top + 1 && now.left < was.right && now.right > was.left;
    const before = now.right <= was.left + 1 && now.top < was.bottom - 1 && now.bottom > was.top + 1;
    return above || before ? [`stands before "${was.name}", which the focus came from`] : [];
  }

  function groundOf(element: Element | null): number[] {
    if (!element) return [255, 255, 255, 1];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  }

  function over([r = 0, g = 0, b = 0, a = 1]: number[], [x = 0, y = 0, z = 0]: number[]): number[] {
    return [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  }

  function contrast(one: number[], other: number[]): number {
    const [dim = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  }

  function luminance(colour: number[]): number {
    const [r = 0, g = 0, b = 0] = colour
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  /** Any CSS colour as the browser draws it. */
  function rgba(colour: string): number[] {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    if (!canvas) return [0, 0, 0, 0];
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }
}
