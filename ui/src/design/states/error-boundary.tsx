import { Component, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { ProblemPanel } from './problem-panel.tsx';

export interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Identifies the content of the pane, for example a record; a change tries again. */
  readonly resetKey?: string | undefined;
}

interface State {
  readonly failure: { readonly problem: unknown } | undefined;
  readonly resetKey: string | undefined;
}

/** Keeps a fault inside its pane: the rest of the page works. One stands around each pane. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failure: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(problem: unknown): Partial<State> {
    return { failure: { problem } };
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { failure: undefined, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return <Failure problem={failure.problem} onRetry={() => this.setState({ failure: undefined })} />;
  }
}

function Failure(props: { readonly problem: unknown; readonly onRetry: () => void }): ReactElement {
  const { t } = useTranslation();
  return <ProblemPanel title={t('design.paneFailed')} {...props} />;
}
