import { Tooltip } from '@base-ui/react/tooltip';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Kbd } from '../../controls/kbd.tsx';
import { watchHints } from './hints.ts';
import styles from './tooltip.module.css';

/** Draws the tooltips of the page, one at a time. DesignRoot holds it. */
export function TooltipHost(): ReactElement {
  const [element, setElement] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      watchHints({
        isPopup: (target) => popup.current?.contains(target) === true,
        show: (next) => {
          setElement(next);
          setOpen(true);
        },
        hide: () => setOpen(false),
      }),
    [],
  );
  const keys = element?.dataset.hintKeys;
  const side = element?.dataset.hintSide === 'right' ? 'right' : 'top';
  return (
    <Tooltip.Root open={isOpen} onOpenChange={setOpen}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={element} side={side} sideOffset={6} collisionPadding={4}>
          <Tooltip.Popup ref={popup} className={styles.popup}>
            {element?.dataset.hint}
            {keys && <Kbd keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
