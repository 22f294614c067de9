// Unpacks the headless Chromium that the package carries, with the libraries that a bare machine lacks, and prints its path.
// The libraries are unpacked only where the package believes itself at home.
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x";
const {default: chromium} = await import("@sparticuz/chromium");
console.log(await chromium.executablePath());
