import { type ComponentType, Fragment, type ReactElement, type ReactNode, use } from 'react';
import { useStore } from '../../state/use-store.ts';
import { ProblemPanel } from '../states/problem-panel.tsx';
import { LatePart } from './late-part.ts';

export type LateComponent<Props> = ((props: Props) => ReactElement) & {
  /** Loads the file in advance, as the router does for the page that a link leads to. */
  readonly preload: () => Promise<void>;
};

export interface LateComponentOptions {
  /** Drawn around a failure. Default: nothing. */
  readonly Frame?: ComponentType<{ readonly children: ReactNode }>;
}

/** The component of a file, as a member: React takes a function in a state for an update of it. */
interface Loaded<Props> {
  readonly Component: ComponentType<Props>;
}

/**
 * Returns a component whose file is loaded when it is first drawn: the nearest Suspense waits for it.
 * Where the file does not load, the component draws the problem in its place, with a button that loads it again.
 */
export function lateComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Frame = Fragment }: LateComponentOptions = {},
): LateComponent<Props> {
  const part = new LatePart<Loaded<Props>>(async () => ({ Component: await load() }), { hasPlace: true });
  return Object.assign((props: Props) => <Late part={part} props={props} Frame={Frame} />, { preload: part.load });
}

interface LateProps<Props> extends Required<LateComponentOptions> {
  readonly part: LatePart<Loaded<Props>>;
  readonly props: Props;
}

function Late<Props extends object>({ part, props, Frame }: LateProps<Props>): ReactElement | null {
  const state = useStore(part.state);
  if (state.kind === 'loaded') return <state.part.Component {...props} />;
  if (state.kind === 'failed') {
    return (
      <Frame>
        <ProblemPanel problem={state.problem} onRetry={() => void part.load()} />
      </Frame>
    );
  }
  use(part.load());
  return null;
}
