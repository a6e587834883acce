import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Field } from '../../design/forms/field.tsx';
import styles from '../saved/saved.module.css';

interface Props<Item> {
  readonly label: string;
  readonly name: string;
  readonly error: string | undefined;
  readonly items: readonly Item[];
  readonly onChange: (items: readonly Item[]) => void;
  readonly addLabel: string;
  readonly removeLabel: string;
  /** An item without values. */
  readonly blank: Item;
  /** Draws the fields of an item. */
  readonly children: (item: Item, change: (change: Partial<Item>) => void) => ReactNode;
}

/** Draws the items of a list below each other; adds and removes them. */
export function ItemList<Item extends object>(props: Props<Item>) {
  const { label, name, error, items, onChange, addLabel, removeLabel, blank, children } = props;
  return (
    <Field label={label} name={name} error={error} group>
      {() => (
        <div className={styles.part}>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no other name, and keep their places.
            <fieldset key={index} className={styles.item}>
              {children(item, (change) => onChange(items.with(index, { ...item, ...change })))}
              <Button kind="quiet" icon={X} onClick={() => onChange(items.toSpliced(index, 1))}>
                {removeLabel}
              </Button>
            </fieldset>
          ))}
          <Button icon={Plus} onClick={() => onChange([...items, blank])}>
            {addLabel}
          </Button>
        </div>
      )}
    </Field>
  );
}
