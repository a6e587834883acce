import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { type LatePart, useLatePart } from '../late/late-part.ts';

export interface WithTrigger {
  /** The button that opens the surface. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly open?: boolean | undefined;
}

/** The press and the focus that a trigger got before its surface was loaded. */
interface Early {
  wasPressed: boolean;
  hadFocus: boolean;
}

export interface LateSurfaceProps<Props extends WithTrigger> {
  readonly part: LatePart<{ readonly Surface: ComponentType<Props> }>;
  readonly kind: 'menu' | 'dialog';
  readonly surface: Props;
}

/**
 * Draws a trigger alone until the surface that it opens is loaded; a press before that opens it then.
 * The alert list needs 43 kB (brotli) less for its first rows: the surfaces are not seen at first.
 */
export function LateSurface<Props extends WithTrigger>(props: LateSurfaceProps<Props>): ReactElement {
  const { part, kind, surface } = props;
  const loaded = useLatePart(part, surface.open);
  const early = useRef<Early>({ wasPressed: false, hadFocus: false });
  if (loaded !== undefined) return <LoadedSurface Surface={loaded.Surface} surface={surface} early={early} />;
  const press = () => {
    early.current.wasPressed = true;
    void part.load();
  };
  return cloneElement(surface.trigger, {
    ref: (button: HTMLElement) => () => {
      early.current.hadFocus = button === document.activeElement;
    },
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerDown: press,
    onClick: press,
    ...(kind === 'menu' && { onKeyDown: (event: KeyboardEvent) => event.key === 'ArrowDown' && press() }),
  });
}

interface LoadedSurfaceProps<Props> {
  readonly Surface: ComponentType<Props>;
  readonly surface: Props;
  readonly early: RefObject<Early>;
}

/** Draws the surface and its trigger, which gets the focus and the press of the early one. */
function LoadedSurface<Props extends WithTrigger>({ Surface, surface, early }: LoadedSurfaceProps<Props>) {
  const button = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (early.current.hadFocus) button.current?.focus();
  }, [early]);
  useEffect(() => {
    if (early.current.wasPressed) button.current?.click();
    early.current = { wasPressed: false, hadFocus: false };
  }, [early]);
  return <Surface {...surface} trigger={cloneElement(surface.trigger, { ref: button })} />;
}
