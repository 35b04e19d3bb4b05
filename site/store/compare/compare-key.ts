/** Where the device stores the compared animals: ids in a row, `1,2,3`. */
export const COMPARED_KEY = 'compared'
