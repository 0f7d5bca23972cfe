import { useEffect, useReducer } from "react";

const tickMilliseconds = 40;
/** How many ticks each picture stays. */
export const stepsPerPicture = 100;

export type GalleryState = {
  index: number;
  /** How many ticks the picture has stayed so far. */
  step: number;
};

type Action = { count: number } & ({ type: "tick" } | { type: "go"; to: number });

/** The current picture. The clock pauses while `running` is false. */
export function useGalleryClock(count: number, running: boolean) {
  const [state, dispatch] = useReducer(advance, { index: 0, step: 0 });
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => dispatch({ type: "tick", count }), tickMilliseconds);
    return () => clearInterval(timer);
  }, [running, count]);
  return { ...state, go: (to: number) => dispatch({ type: "go", to, count }) };
}

function advance(state: GalleryState, action: Action): GalleryState {
  const { count } = action;
  if (action.type === "go") return { index: (action.to + count) % count, step: 0 };
  if (state.step + 1 < stepsPerPicture) return { ...state, step: state.step + 1 };
  return { index: (state.index + 1) % count, step: 0 };
}
