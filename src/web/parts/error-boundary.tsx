import { Component, type ReactNode } from "react";

type Props = {
  /** Shown instead of the broken part. */
  fallback: ReactNode;
  /** Rendering is retried when this changes (another route). */
  resetKey: string;
  children: ReactNode;
};

type State = { failed: boolean; key: string };

/** Keeps an error in one screen from breaking the page. React supports this only in classes. */
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
