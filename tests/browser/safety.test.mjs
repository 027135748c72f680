export const tests={};
