import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from '../controls/kbd.tsx';
import styles from './tooltip.module.css';

interface Hint {
  readonly text: string;
  readonly keys: string | undefined;
}

/** One popup serves every trigger, so that a list of 1,000 buttons has one tooltip. */
const handle = Base.createHandle<Hint>();

export interface TooltipProps {
  readonly text: string;
  /** Keys that do the same as the element. */
  readonly keys?: string | undefined;
  /** One element that takes the focus and has a name of its own. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Shows a hint and keys beside an element that is pointed at or focused; needs TooltipHost. */
export function Tooltip({ text, keys, children }: TooltipProps): ReactElement {
  return <Base.Trigger handle={handle} payload={{ text, keys }} render={children} />;
}

/** Draws the tooltips of the page; DesignRoot holds it. */
export function TooltipHost(): ReactElement {
  return (
    <Base.Provider delay={400}>
      <Base.Root handle={handle}>
        {({ payload }) => (
          <Base.Portal>
            <Base.Positioner sideOffset={6} collisionPadding={4}>
              <Base.Popup className={styles.popup}>
                {payload?.text}
                {payload?.keys && <Kbd keys={payload.keys} />}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        )}
      </Base.Root>
    </Base.Provider>
  );
}
