/** Used where an installation has no classification.yml: the Traffic Light Protocol, not enforced. */
export const DEFAULT_CLASSIFICATION = `# Traffic Light Protocol 2.0, https://www.first.org/tlp/
enforce: false
dynamic_groups: false
dynamic_groups_type: email

levels:
  - { name: TLP:CLEAR, short_name: TLP:C, aliases: [UNRESTRICTED, UNCLASSIFIED, U, TLP:W, TLP:WHITE], lvl: 100,
      description: May be shared with everyone., is_hidden: false, css: { color: default } }
  - { name: TLP:GREEN, short_name: TLP:G, aliases: [], lvl: 110,
      description: "May be shared inside the community, not in public.", css: { color: success } }
  - { name: TLP:AMBER, short_name: TLP:A, aliases: [], lvl: 120,
      description: "May be shared inside the organization and with its clients, on a need-to-know basis.",
      css: { color: warning } }
  - { name: TLP:AMBER+STRICT, short_name: TLP:A+S, aliases: [RESTRICTED], lvl: 125,
      description: May be shared inside the organization only., css: { color: warning } }

required:
  - { name: COMMERCIAL, short_name: CMR, aliases: [],
      description: Holds commercial information that must not leave the organization. }

groups:
  - { name: CSE, short_name: CSE, aliases: [], auto_select: true, description: Employees of CSE. }

subgroups:
  - { name: IR TEAM, short_name: IR, aliases: [], description: Members of the incident response team. }
  - { name: CCCS, short_name: CCCS, aliases: [], require_group: CSE,
      description: Members of the Canadian Centre for Cyber Security. }

unrestricted: TLP:C
restricted: TLP:A+S//CMR
`;

/** Used by a demo start without classification.yml: a small definition that is enforced. */
export const DEMO_CLASSIFICATION = `enforce: true
dynamic_groups: false
dynamic_groups_type: email

levels:
  - { name: UNRESTRICTED, short_name: U, aliases: [], lvl: 100, description: No restrictions applied to data.,
      css: { banner: alert-default, label: label-default, text: text-muted } }
  - { name: RESTRICTED, short_name: R, aliases: [CLASSIFIED, DO NOT LOOK], lvl: 200,
      description: Data restricted to a certain few...,
      css: { banner: alert-info, label: label-primary, text: text-primary } }

required:
  - { name: SUPER USER, short_name: SU, aliases: [],
      description: Gotta be a super user to see this!, require_lvl: 200 }
  - { name: ADMIN, short_name: ADM, aliases: [GOD], description: Gotta be an administrator to see this! }

groups:
  - { name: DEPARTMENT 1, short_name: D1, aliases: [DEPTS, ANY], description: Users of department 1.,
      solitary_display_name: ANY }
  - { name: DEPARTMENT 2, short_name: D2, aliases: [DEPTS], description: Users of department 2. }

subgroups:
  - { name: GROUP 1, short_name: G1, aliases: [],
      description: Users of group 1 (which are part of deparment 1)., require_group: D1, limited_to_group: D1 }
  - { name: GROUP 2, short_name: G2, aliases: [], description: Users of group 2 (can be part of any department). }

unrestricted: U
restricted: R//GOD//ANY
`;
