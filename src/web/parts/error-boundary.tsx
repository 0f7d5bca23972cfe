import { Component, type ReactNode } from "react";

type Props = {
  /** What stands in the place of that which broke. */
  fallback: ReactNode;
  /** When it changes (another route), what broke is tried again. */
  resetKey: string;
  children: ReactNode;
};

type State = { failed: boolean; key: string };

/** Keeps an error in one screen from taking the page with it. React offers this to classes only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, key: this.props.resetKey };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ resetKey }: Props, { key }: State) {
    return key === resetKey ? null : { failed: false, key: resetKey };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
