package org.apache.kafka.common.record.internal;

/**
 * Makes this package exist for the compiler. Kafka moved its record classes here in 4.3; before that they were in
 * org.apache.kafka.common.record. With both packages imported on demand, one source builds against every release.
 * The class is left out of the jar.
 */
final class PackageMarker {
    private PackageMarker() {
    }
}
