// The animals: our own drawings, each in a box of 100 by 100, looking to the right.

/** @typedef {{body: string, line: string, shade: string, light: string}} Colours */

/** @type {Record<string, (c: Colours) => string>} */
export const ANIMALS = {
  elephant: (c) => `
    <path fill="${c.shade}" d="M35 27C24 8 4 14 4 39C4 60 17 74 35 64ZM65 27C76 8 96 14 96 39C96 60 83 74 65 64Z"/>
    <path fill="${c.light}" d="M38 60C37 71 32 76 26 75C31 84 44 80 46 66ZM62 60C63 71 68 76 74 75C69 84 56 80 54 66Z"/>
    <path fill="${c.body}" d="M50 11C34 11 26 23 27 38C28 50 35 57 39 62C40 74 39 85 46 92C53 98 66 96 69 87C70 81 63 79 60 84C57 87 56 82 57 77C58 71 60 66 61 62C65 57 72 50 73 38C74 23 66 11 50 11Z"/>
    <path fill="none" d="M44 68C48 70 53 70 56 68M44 78C48 80 52 80 55 78" stroke-width="3"/>
    <g fill="${c.line}" stroke="none"><circle cx="39" cy="39" r="4.2"/><circle cx="61" cy="39" r="4.2"/></g>`,
  camel: (c) => `
    <path fill="${c.body}" d="M15 93L17 66C9 60 8 50 14 43C17 27 27 20 33 37C35 42 38 42 40 37C44 20 56 22 58 40C60 49 67 48 69 41C72 31 67 21 72 13C76 6 84 6 88 11C94 12 98 17 97 23C96 28 90 28 84 27C85 38 86 51 79 60C76 65 73 67 72 70L74 93L64 93L60 74L34 74L26 93Z"/>
    <path fill="none" stroke-width="3.5" d="M60 74C65 73 69 72 72 70M34 74C28 74 21 71 17 66"/>
    <path fill="${c.shade}" stroke-width="3.5" d="M73 12C69 10 68 6 70 3C75 4 78 7 78 10Z"/>
    <circle fill="${c.line}" stroke="none" cx="83" cy="16" r="3.2"/>`,
  horse: (c) => `
    <path fill="${c.body}" d="M28 94C22 64 26 38 42 24C47 19 52 16 56 15L60 4L69 17C78 22 83 35 91 51C95 59 92 66 85 67C80 68 76 64 72 61C66 63 61 62 57 63C60 74 70 81 73 94Z"/>
    <path fill="${c.shade}" d="M60 4L55 15C58 19 56 23 52 24C54 29 51 34 46 35C48 41 45 46 40 47C43 53 41 60 37 62C41 69 40 78 38 94L19 94C11 64 17 31 42 17C48 12 55 9 60 4Z"/>
    <circle fill="${c.line}" stroke="none" cx="67" cy="33" r="4"/>
    <path fill="none" stroke-width="3.5" d="M84 56L86 57"/>`,
  dog: (c) => `
    <path fill="${c.body}" d="M25 94C24 80 27 72 30 64C22 46 28 23 48 17C60 14 68 20 71 31C80 34 88 36 94 39C99 43 98 52 93 56C87 62 77 64 69 63C68 74 73 83 75 94Z"/>
    <path fill="none" stroke-width="3.5" d="M92 56C85 57 79 56 74 53"/>
    <path fill="${c.shade}" d="M40 19C25 17 11 35 12 57C13 69 25 73 33 63C41 53 50 41 50 30C50 23 46 20 40 19Z"/>
    <path fill="${c.line}" stroke="none" d="M86 37C91 35 98 38 98 43C98 47 92 49 89 46C86 44 84 39 86 37Z"/>
    <circle fill="${c.line}" stroke="none" cx="63" cy="34" r="4"/>
    <path fill="none" stroke-width="5" d="M33 80C45 86 60 86 70 80"/>`,
  cat: (c) => `
    <path fill="${c.body}" d="M13 8C24 12 34 20 39 27C46 25 54 25 61 27C66 20 76 12 87 8C91 24 92 38 88 50C90 70 74 88 50 88C26 88 10 70 12 50C8 38 9 24 13 8Z"/>
    <path fill="${c.shade}" stroke="none" d="M19 18C25 21 30 25 33 29C27 32 22 36 19 40C17 32 17 25 19 18ZM81 18C75 21 70 25 67 29C73 32 78 36 81 40C83 32 83 25 81 18Z"/>
    <g fill="${c.line}" stroke="none"><ellipse cx="33" cy="50" rx="4.5" ry="6.5"/><ellipse cx="67" cy="50" rx="4.5" ry="6.5"/><path d="M43 62L57 62L50 70Z"/></g>
    <path fill="none" stroke-width="3.5" d="M50 70C50 76 43 78 39 75M50 70C50 76 57 78 61 75M28 66L3 61M28 72L5 78M72 66L97 61M72 72L95 78"/>`,
  rabbit: (c) => `
    <path fill="${c.body}" d="M41 50C28 40 21 9 31 4C42 1 48 26 48 46ZM59 50C72 40 79 9 69 4C58 1 52 26 52 46Z"/>
    <path fill="${c.shade}" stroke="none" d="M39 40C33 32 30 15 33 12C38 13 42 27 42 40ZM61 40C67 32 70 15 67 12C62 13 58 27 58 40Z"/>
    <path fill="${c.body}" d="M50 41C67 41 79 53 79 69C79 85 66 95 50 95C34 95 21 85 21 69C21 53 33 41 50 41Z"/>
    <path fill="${c.light}" stroke-width="2.5" d="M45 79L55 79L55 87L45 87Z"/>
    <g fill="${c.line}" stroke="none"><circle cx="38" cy="62" r="4.5"/><circle cx="62" cy="62" r="4.5"/><path d="M44 70L56 70L50 77Z"/></g>
`,
};
