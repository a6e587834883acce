/** For tests: a definition with every kind of mark. */
export const BRANCHES = `enforce: true
dynamic_groups: false
dynamic_groups_type: email
levels:
  - { name: Level 0, short_name: L0, lvl: 1, aliases: [Open] }
  - { name: Level 1, short_name: L1, lvl: 5, aliases: [] }
  - { name: Level 2, short_name: L2, lvl: 15, aliases: [] }
required:
  - { name: Legal Department, short_name: LE, aliases: [Legal] }
  - { name: Accounting, short_name: AC, aliases: [Acc] }
  - { name: Originator Controlled, short_name: ORCON, aliases: [], is_required_group: true }
  - { name: No Contractors, short_name: NOCON, aliases: [], is_required_group: true }
groups:
  - { name: Group A, short_name: A, aliases: [] }
  - { name: Group B, short_name: B, aliases: [] }
  - { name: Group X, short_name: X, aliases: [], solitary_display_name: XX }
subgroups:
  - { name: Reserve One, short_name: R1, aliases: [R0] }
  - { name: Reserve Two, short_name: R2, aliases: [], require_group: X }
  - { name: Reserve Three, short_name: R3, aliases: [], limited_to_group: X }
unrestricted: L0
restricted: L2
`;
