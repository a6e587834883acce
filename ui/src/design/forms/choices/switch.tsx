import { Switch as Base } from '@base-ui/react/switch';
import type { ReactElement } from 'react';
import { ToggleLine, type ToggleProps } from './checkbox.tsx';
import styles from './toggle.module.css';

/** Draws a switch that takes effect at once. In a form that is saved, use a Checkbox. */
export function Switch(props: ToggleProps): ReactElement {
  const { value, onChange, disabled, name, ref } = props;
  return (
    <ToggleLine {...props}>
      {(attributes) => (
        <Base.Root
          {...attributes}
          ref={ref}
          name={name}
          checked={value}
          onCheckedChange={onChange}
          disabled={disabled}
          className={styles.track}
        >
          <Base.Thumb className={styles.thumb} />
        </Base.Root>
      )}
    </ToggleLine>
  );
}
