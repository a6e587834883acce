import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactElement, ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly count?: number | undefined;
  readonly disabled?: boolean | undefined;
}

export interface TabsProps<Value extends string> {
  /** The name of the row of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** A TabPanel for each tab; only the present one is drawn. */
  readonly children: ReactNode;
}

/** Draws a row of tabs; arrows move the focus, Enter or Space opens. */
export function Tabs<Value extends string>({ label, tabs, value, onChange, children }: TabsProps<Value>): ReactElement {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)} className={styles.root}>
      <Base.List aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} disabled={tab.disabled} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </Base.Root>
  );
}

export interface TabPanelProps {
  readonly value: string;
  readonly children: ReactNode;
  /** True where the content reaches the edges, as a list does. */
  readonly flush?: boolean | undefined;
}

export function TabPanel({ value, children, flush }: TabPanelProps): ReactElement {
  return (
    <Base.Panel value={value} className={flush ? styles.flush : styles.panel}>
      {children}
    </Base.Panel>
  );
}
