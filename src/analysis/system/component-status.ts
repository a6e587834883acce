import type { SystemValues } from './system-values.ts';

/** Components that administrators pause and resume. */
export const PAUSABLE_COMPONENTS = ['ingester', 'dispatcher'] as const;
export type PausableComponent = (typeof PAUSABLE_COMPONENTS)[number];

/** Knows which components of the analysis are paused, in every process. */
export class ComponentStatus {
  readonly #values: Pick<SystemValues, 'get' | 'set'>;

  constructor(values: Pick<SystemValues, 'get' | 'set'>) {
    this.#values = values;
  }

  /** Returns false for a paused component, and for what is none. The state is at most a second old. */
  async isActive(component: string): Promise<boolean> {
    return isPausable(component) && !(await this.#paused()).includes(component);
  }

  /** Returns the state of every component that can be paused. */
  async all(): Promise<Readonly<Record<PausableComponent, boolean>>> {
    const paused = await this.#paused();
    const states = PAUSABLE_COMPONENTS.map((component) => [component, !paused.includes(component)]);
    return Object.fromEntries(states) as Record<PausableComponent, boolean>;
  }

  /** Pauses or resumes a component; what is none stays inactive. */
  async setActive(component: string, active: boolean): Promise<void> {
    if (!isPausable(component)) return;
    const others = (await this.#paused()).filter((one) => one !== component);
    await this.#values.set('inactive_components', active ? others : [...others, component]);
  }

  async #paused(): Promise<readonly string[]> {
    return ((await this.#values.get('inactive_components')) as readonly string[] | undefined) ?? [];
  }
}

function isPausable(component: string): component is PausableComponent {
  return PAUSABLE_COMPONENTS.some((one) => one === component);
}
