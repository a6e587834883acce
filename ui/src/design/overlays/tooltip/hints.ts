/** Milliseconds that the pointer rests on an element before its hint is shown. */
const SHOW_DELAY = 400;
/** Milliseconds in which the pointer can reach the hint, which is read there at leisure. */
const HIDE_DELAY = 150;

export interface HintView {
  /** True for an element inside of the hint that is shown. */
  readonly isPopup: (target: Node) => boolean;
  readonly show: (element: HTMLElement) => void;
  readonly hide: () => void;
}

/**
 * Watches which element with `data-hint` is pointed at or focused by keyboard.
 * @returns the function that ends it
 */
export function watchHints({ isPopup, show, hide }: HintView): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: HTMLElement | undefined;
  let wanted: HTMLElement | undefined;

  const want = (element: HTMLElement | undefined, delay: number) => {
    if (element === wanted) return;
    wanted = element;
    clearTimeout(timer);
    timer = setTimeout(() => {
      shown = element;
      if (element === undefined) hide();
      else show(element);
    }, delay);
  };
  const onPointer = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || !(target instanceof Element)) return;
    const element = isPopup(target) ? shown : hinted(target);
    // A neighbour's hint follows at once.
    want(element, element === undefined ? HIDE_DELAY : shown === undefined ? SHOW_DELAY : 0);
  };
  const onFocus = () => {
    const focused = document.activeElement;
    want(focused?.matches(':focus-visible') ? hinted(focused) : undefined, 0);
  };
  const onPress = () => want(undefined, 0);

  const ending = new AbortController();
  const { signal } = ending;
  document.addEventListener('pointerover', onPointer, { signal });
  document.addEventListener('pointerdown', onPress, { signal });
  document.documentElement.addEventListener('pointerleave', onPress, { signal });
  document.addEventListener('focusin', onFocus, { signal });
  document.addEventListener('focusout', onPress, { signal });
  onFocus();
  // This script may arrive while the pointer rests already.
  const pointed = [...document.querySelectorAll<HTMLElement>('[data-hint]:hover')].at(-1);
  if (wanted === undefined) want(pointed, SHOW_DELAY);
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

function hinted(target: Element): HTMLElement | undefined {
  return target.closest<HTMLElement>('[data-hint]') ?? undefined;
}
