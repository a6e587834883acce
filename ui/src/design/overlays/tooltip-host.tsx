import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from '../controls/kbd.tsx';
import styles from './tooltip.module.css';
import { tooltipHandle } from './tooltip-handle.ts';

/** Draws the tooltips of the page. DesignRoot holds it. */
export function TooltipHost(): ReactElement {
  return (
    <Tooltip.Provider delay={400}>
      <Tooltip.Root handle={tooltipHandle}>
        {({ payload }) => (
          <Tooltip.Portal>
            <Tooltip.Positioner sideOffset={6} collisionPadding={4}>
              <Tooltip.Popup className={styles.popup}>
                {payload?.text}
                {payload?.keys && <Kbd keys={payload.keys} />}
              </Tooltip.Popup>
            </Tooltip.Positioner>
          </Tooltip.Portal>
        )}
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
